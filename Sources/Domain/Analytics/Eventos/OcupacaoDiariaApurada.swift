/// What became of a unit's local day, computed when it closed; and anew, as the next revision, where something of it was corrected later.
/// The latest revision holds.
package struct OcupacaoDiariaApurada: Evento {
    package static let tipo = "analytics.OcupacaoDiariaApurada"

    package let unidade: UnidadeID
    package let dia: DataCivil
    /// The first is 1.
    package let revisao: Int
    /// IANA name of the zone by whose clock the day closed.
    package let fuso: String
    /// Spaces that were open or booked, in order of their ids.
    package let espacos: [OcupacaoDoEspaco]
    /// When the day after closes, by the same clock; absent in later revisions.
    package let proximoFechamento: Instante?
    package let em: Instante

    package init(
        unidade: UnidadeID,
        dia: DataCivil,
        revisao: Int,
        fuso: String,
        espacos: [OcupacaoDoEspaco],
        proximoFechamento: Instante? = nil,
        em: Instante
    ) {
        self.unidade = unidade
        self.dia = dia
        self.revisao = revisao
        self.fuso = fuso
        self.espacos = espacos
        self.proximoFechamento = proximoFechamento
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case unidade
        case dia
        case revisao
        case fuso
        case espacos
        case proximoFechamento = "proximo_fechamento"
        case em
    }
}
