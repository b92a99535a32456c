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

extension PixGerado {
    private static let primeirasConferencias: [Duracao] = [.minutos(2), .minutos(15), .horas(1), .horas(6)]

    /// When the provider is asked whether it was paid, in case nobody tells us: soon, then ever later, from the second day on once a day.
    /// Only while it can be paid: most PIX for a booking are asked about once.
    package var conferencias: [Instante] {
        let dias = max(0, (expiraEm - em).microssegundos / Duracao.horas(24).microssegundos)
        let diarias = (0..<Int(dias)).map { Duracao.horas(24 * ($0 + 1)) }
        return (Self.primeirasConferencias + diarias).map { em + $0 }.filter { $0 < expiraEm }
    }
}
