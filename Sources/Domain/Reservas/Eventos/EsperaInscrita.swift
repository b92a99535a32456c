/// Somebody waits for a span of a space that is taken. The order of these events in the stream is the order of the line.
package struct EsperaInscrita: Evento {
    package static let tipo = "reservas.EsperaInscrita"

    package let inscricao: EsperaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    /// The UTC day whose stream this is in: that of the beginning.
    package let dia: DataCivil
    /// IANA name of the zone of the unit.
    package let fuso: String
    package let intervalo: Intervalo
    package let lugares: Int
    package let em: Instante

    package init(
        inscricao: EsperaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        dia: DataCivil,
        fuso: String,
        intervalo: Intervalo,
        lugares: Int,
        em: Instante
    ) {
        self.inscricao = inscricao
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.dia = dia
        self.fuso = fuso
        self.intervalo = intervalo
        self.lugares = lugares
        self.em = em
    }
}
