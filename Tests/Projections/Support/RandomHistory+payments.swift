import Domain
import TestSupport

extension RandomHistory {
    /// What a charge of that number is for: one of each kind among four.
    private static func cause(_ number: Int) -> CausaDaCobranca {
        switch number % 4 {
        case 0: .reserva(Samples.id(number))
        case 1: .diferenca(Samples.id(number), remarcacao: number)
        case 2: .excedente(Samples.id(number))
        default: .mensalidade(Samples.id(number), inicio: Samples.time(number))
        }
    }

    static func charge(_ number: Int, at minutes: Int, in log: inout TestLog) throws {
        let payment: PagamentoID = Samples.id(number)
        let made = CobrancaCriada(
            pagamento: payment, causa: cause(number), usuario: Samples.id(number), unidade: Samples.id(1),
            valor: Dinheiro(centavos: 6_000), expiraEm: Samples.time(minutes + 14), em: Samples.time(minutes)
        )
        try log.record(.pagamento(payment), .pagamentos(.cobrancaCriada(made)))
    }

    static func payment(_ number: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let id: PagamentoID = Samples.id(number)
        let cause = Self.cause(number)
        let time = Samples.time(minutes)
        let amount = Dinheiro(centavos: Int64(1 + minutes))
        let refund: EstornoID = Samples.id(1 + minutes % 5)
        guard let transaction = TransacaoID(id, tentativa: 1 + minutes % 9) else { throw Samples.Impossible() }
        let event: EventoDePagamentos
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return try charge(number, at: minutes, in: &log)
        case 1: event = .cobrancaAlterada(CobrancaAlterada(pagamento: id, causa: cause, de: .zero, para: amount, em: time))
        case 2:
            event = .pixGerado(
                PixGerado(
                    pagamento: id, causa: cause, transacao: transaction, valor: amount, copiaECola: "000201", expiraEm: time, em: time)
            )
        case 3:
            event = .pagamentoAprovado(
                PagamentoAprovado(
                    pagamento: id, causa: cause, usuario: Samples.id(number), transacao: transaction,
                    metodo: MetodoDePagamento.allCases[minutes % MetodoDePagamento.allCases.count], valor: amount,
                    referencia: "E\(minutes)", quita: minutes.isMultiple(of: 2), tardio: false, em: time
                )
            )
        case 4:
            event = .pagamentoRecusado(
                PagamentoRecusado(pagamento: id, causa: cause, transacao: transaction, metodo: .cartao, motivo: .outro, em: time)
            )
        case 5:
            let reason: MotivoDoEncerramento = minutes.isMultiple(of: 2) ? .prazo : .semObjeto
            event = .cobrancaExpirada(CobrancaExpirada(pagamento: id, causa: cause, motivo: reason, expiraEm: time, em: time))
        case 6:
            event = .estornoSolicitado(
                EstornoSolicitado(
                    pagamento: id, causa: cause, usuario: Samples.id(number), estorno: refund, transacao: transaction, valor: amount,
                    motivo: .operador, por: Samples.id(1), justificativa: PlainOpener.seal("chuva", field: "justificativa"), em: time
                )
            )
        case 7:
            event = .pagamentoEstornado(
                PagamentoEstornado(
                    pagamento: id, causa: cause, usuario: Samples.id(number), estorno: refund, transacao: transaction, valor: amount,
                    em: time
                )
            )
        default:
            event = .estornoRecusado(
                EstornoRecusado(
                    pagamento: id, causa: cause, estorno: refund, transacao: transaction, valor: amount, motivo: .outro, em: time)
            )
        }
        try log.record(.pagamento(id), .pagamentos(event))
    }
}
