/// The charge closed unpaid.
package struct CobrancaExpirada: Evento {
    package static let tipo = "pagamentos.CobrancaExpirada"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let motivo: MotivoDoEncerramento
    package let expiraEm: Instante
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        motivo: MotivoDoEncerramento,
        expiraEm: Instante,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.motivo = motivo
        self.expiraEm = expiraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case pagamento
        case causa
        case motivo
        case expiraEm = "expira_em"
        case em
    }
}
