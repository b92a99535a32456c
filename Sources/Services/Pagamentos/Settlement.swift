import Domain
import EventStore
import HTTP

/// Records what a provider says of charges and of money on its way back, and asks it for the latter.
struct Settlement: Sendable {
    let commands: CommandHandling
    let reader: LogReader
    let provider: any PaymentProvider

    /// The state of a charge at this moment, outside any decision.
    func payment(_ id: PagamentoID) async throws -> Pagamento {
        .dobrar(try await StreamLoader(reader: reader).load(.pagamento(id)))
    }

    /// Records what a notice says. However often it comes, it takes effect once.
    func record(_ notice: ProviderNotice) async throws -> Execution {
        try await commands.run(notice: notice.id, from: "payments.\(provider.name)") { loader in
            switch notice.content {
            case .charge(let transaction, let status):
                let state = Pagamento.dobrar(try await loader.load(.pagamento(transaction.pagamento)))
                return try decide(status, of: transaction, state)
            case .refund(let refund, let transaction, let progress):
                let state = Pagamento.dobrar(try await loader.load(.pagamento(transaction.pagamento)))
                return try decide(progress, of: refund, state)
            }
        }
    }

    /// What is recorded of a try to pay.
    func decide(_ status: ChargeStatus, of transaction: TransacaoID, _ state: Pagamento) throws -> [EventosDoFluxo] {
        switch status {
        case .approved(let method, let amount, let reference):
            try RegistrarAprovacao(transacao: transaction, metodo: method, valor: amount, referencia: reference, agora: commands.now)
                .decidir(pagamento: state)
        case .refused(let method, let reason):
            try RegistrarRecusa(transacao: transaction, metodo: method, motivo: reason, agora: commands.now).decidir(pagamento: state)
        case .unknown, .pending, .expired: []
        }
    }

    private func decide(_ progress: RefundProgress, of refund: EstornoID, _ state: Pagamento) throws -> [EventosDoFluxo] {
        switch progress {
        case .processing: []
        case .done(let reference):
            try RegistrarEstorno(estorno: refund, desfecho: .realizado(reference), agora: commands.now).decidir(pagamento: state)
        case .refused(let reason):
            try RegistrarEstorno(estorno: refund, desfecho: .recusado(reason), agora: commands.now).decidir(pagamento: state)
        }
    }

    /// Asks the provider to give money back that is recorded as going back, and records what it says. Where that is done already,
    /// nothing is asked.
    ///
    /// - Returns: nil where the desk hands the money back, which it has not done yet.
    /// - Throws: `ProviderError`, and what recording throws.
    func refund(_ refund: EstornoID, of payment: PagamentoID) async throws -> RefundProgress? {
        let data = try await self.payment(payment).dados
        guard let data, let asked = data.estornos.first(where: { $0.estorno == refund }) else {
            throw RecusaDePagamentos.pagamentoNaoEncontrado
        }
        switch asked.situacao {
        case .realizado: return .done(reference: nil)
        case .recusado: return .refused(.outro)
        case .solicitado: if data.noBalcao(asked) { return nil }
        }
        let order = RefundOrder(refund: refund, transaction: asked.transacao, reference: asked.referencia, amount: asked.valor)
        let progress = try await provider.refund(order)
        FaultPoint.hit(.afterProvider)
        guard progress != .processing else { return progress }
        _ = try await record(ProviderNotice(id: "refund \(refund.texto)", content: .refund(refund, asked.transacao, progress)))
        return progress
    }
}
