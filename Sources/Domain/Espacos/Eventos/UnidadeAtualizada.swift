/// The unit is described anew. Bookings made before keep the zone they were made in.
package struct UnidadeAtualizada: Evento {
    package static let tipo = "espacos.UnidadeAtualizada"

    package let unidade: UnidadeID
    package let nome: String
    /// IANA name of the zone of its wall clocks.
    package let fuso: String
    package let endereco: String
    package let em: Instante

    package init(
        unidade: UnidadeID,
        nome: String,
        fuso: String,
        endereco: String,
        em: Instante
    ) {
        self.unidade = unidade
        self.nome = nome
        self.fuso = fuso
        self.endereco = endereco
        self.em = em
    }
}
