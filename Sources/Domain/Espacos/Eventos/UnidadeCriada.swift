/// There is a unit.
package struct UnidadeCriada: Evento {
    package static let tipo = "espacos.UnidadeCriada"

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
