/// Somebody owes money for something.
package struct CobrancaCriada: Evento {
    package static let tipo = "pagamentos.CobrancaCriada"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    /// Who owes it, or to whom it goes back.
    package let usuario: UsuarioID
    /// Whose revenue it will be; absent where it belongs to no unit.
    package let unidade: UnidadeID?
    /// More than zero.
    package let valor: Dinheiro
    /// Until when it can be paid in time: a minute before the hold that it pays for runs out.
    package let expiraEm: Instante
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        usuario: UsuarioID,
        unidade: UnidadeID? = nil,
        valor: Dinheiro,
        expiraEm: Instante,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.usuario = usuario
        self.unidade = unidade
        self.valor = valor
        self.expiraEm = expiraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case pagamento
        case causa
        case usuario
        case unidade
        case valor
        case expiraEm = "expira_em"
        case em
    }
}
