/// The provider takes a PIX for the charge.
package struct PixGerado: Evento {
    package static let tipo = "pagamentos.PixGerado"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let transacao: TransacaoID
    package let valor: Dinheiro
    /// The BR Code, as banks read it.
    package let copiaECola: String
    package let expiraEm: Instante
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        transacao: TransacaoID,
        valor: Dinheiro,
        copiaECola: String,
        expiraEm: Instante,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.transacao = transacao
        self.valor = valor
        self.copiaECola = copiaECola
        self.expiraEm = expiraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case pagamento
        case causa
        case transacao
        case valor
        case copiaECola = "copia_e_cola"
        case expiraEm = "expira_em"
        case em
    }
}
