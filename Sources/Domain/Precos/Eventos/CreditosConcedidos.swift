/// A member has a new lot of credits: minutes that bookings use before money.
package struct CreditosConcedidos: Evento {
    package static let tipo = "precos.CreditosConcedidos"

    package let usuario: UsuarioID
    package let lote: LoteID
    package let minutos: Minutos
    /// From when on no booking can use it; absent where it never expires.
    package let expiraEm: Instante?
    package let origem: OrigemDosCreditos
    /// The operator who granted it; nobody where a plan includes it.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        lote: LoteID,
        minutos: Minutos,
        expiraEm: Instante? = nil,
        origem: OrigemDosCreditos,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.lote = lote
        self.minutos = minutos
        self.expiraEm = expiraEm
        self.origem = origem
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case lote
        case minutos
        case expiraEm = "expira_em"
        case origem
        case por
        case em
    }
}
