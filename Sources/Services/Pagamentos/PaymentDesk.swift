import Domain
import EventStore
import HTTP
import Hummingbird

/// Where members pay: looks at the charge, asks the provider, and records what it says. A process that dies in between leaves a try at the
/// provider that has the number of the next one here: whoever tries again gets the same.
struct PaymentDesk: Sendable {
    /// The zone of the business, for what belongs to no unit.
    private static let home = "America/Sao_Paulo"

    let settlement: Settlement
    let zones: ZoneCatalog

    private var commands: CommandHandling { settlement.commands }

    /// What somebody wants to pay.
    enum Subject: Sendable {
        /// What a booking waits for: its price, or the difference of a move.
        case booking(ReservaID)
        case payment(PagamentoID)
    }

    /// A charge, which is made here where the policy has not come to it yet.
    private struct Setting {
        let cause: CausaDaCobranca
        let payment: Pagamento
        /// What is to be recorded for the charge to be there.
        let opening: [EventosDoFluxo]
        /// IANA name of the zone that times are told in.
        let zone: String
        /// What is to be paid, where there is no charge.
        let price: Dinheiro

        var id: PagamentoID { cause.pagamento }
    }

    func pix(
        _ subject: Subject,
        by actor: Ator,
        _ request: Request,
        _ context: CoworkRequestContext,
        _ body: [UInt8]
    ) async throws -> CommandAnswer<ChargeView> {
        let setting = try await setting(of: subject, for: actor, StreamLoader(reader: settlement.reader))
        let zone = try zones.zone(setting.zone)
        if let earlier = try await commands.earlier(request, context, body: body), let view = try ChargeView(earlier.events, zone: zone) {
            return CommandAnswer(view, at: earlier.position)
        }
        if let paid = setting.payment.pixSemResposta {
            return try await answer(paid, setting, zone, request, context, body)
        }
        let pay = PagarCobranca(ator: actor, metodo: .pix, agora: commands.now)
        let (transaction, code): (TransacaoID, String)
        switch try next(pay, setting) {
        case .pix(let made, _): (transaction, code) = (made.transacao, made.copiaECola)
        case .pedir(let wanted, let data):
            try await open(setting, request, context, body)
            (transaction, code) = (
                wanted,
                try await ask { () async throws(ProviderError) in
                    try await settlement.provider.createPix(order(wanted, data))
                }
            )
            FaultPoint.hit(.afterProvider)
        }
        let execution = try await commands.run(request, context, body: body) { loader in
            let present = try await self.setting(of: setting.cause, loader)
            if let paid = present.payment.pixSemResposta, paid.transacao == transaction {
                return try answer(paid).decidir(pagamento: present.payment)
            }
            return join(present, try pay.registrarPix(transaction, copiaECola: code, pagamento: present.payment))
        }
        if let view = try ChargeView(execution.events, zone: zone) { return CommandAnswer(view, at: execution.position) }
        guard let made = try await settlement.payment(setting.id).dados?.pix else {
            throw RecusaDePagamentos.cobrancaEncerrada
        }
        return CommandAnswer(try ChargeView(made, zone: zone), at: execution.position)
    }

    /// The PIX was made for a request of which nothing was recorded, and has been paid meanwhile. Whoever asks now is most likely told for
    /// the first time, and a repeat of that is told the same.
    private func answer(
        _ paid: Recebimento,
        _ setting: Setting,
        _ zone: ZonaHoraria,
        _ request: Request,
        _ context: CoworkRequestContext,
        _ body: [UInt8]
    ) async throws -> CommandAnswer<ChargeView> {
        let execution = try await commands.run(request, context, body: body) { loader in
            let present = try await self.setting(of: setting.cause, loader)
            guard present.payment.pixSemResposta == paid else { throw RecusaDePagamentos.jaPago }
            return try answer(paid).decidir(pagamento: present.payment)
        }
        guard let view = try ChargeView(execution.events, zone: zone) else { throw RecusaDePagamentos.jaPago }
        return CommandAnswer(view, at: execution.position)
    }

    func card(
        _ subject: Subject,
        _ token: TokenDeCartao,
        by actor: Ator,
        _ request: Request,
        _ context: CoworkRequestContext,
        _ body: [UInt8]
    ) async throws -> CommandAnswer<ChargeView> {
        let setting = try await setting(of: subject, for: actor, StreamLoader(reader: settlement.reader))
        if let earlier = try await commands.earlier(request, context, body: body), let view = Self.card(earlier.events, setting.payment) {
            return CommandAnswer(view, at: earlier.position)
        }
        let pay = PagarCobranca(ator: actor, metodo: .cartao, agora: commands.now)
        guard case .pedir(let transaction, let data) = try next(pay, setting) else { throw RecusaDePagamentos.jaPago }
        try await open(setting, request, context, body)
        let status = try await ask { () async throws(ProviderError) in
            try await settlement.provider.chargeCard(order(transaction, data), token: token)
        }
        FaultPoint.hit(.afterProvider)
        // Whatever became of the charge meanwhile, the provider has spoken: of this charge, even where its webhook came first and the
        // booking waits for nothing any more.
        let execution = try await commands.run(request, context, body: body) { loader in
            let present = try await self.setting(of: setting.cause, loader)
            let decided = try settlement.decide(status, of: transaction, present.payment)
            guard decided.isEmpty, let answer = self.answer(status, of: transaction, data) else { return join(present, decided) }
            // Its webhook came first. What the member is told is kept under this request, so that a repeat is told the same.
            return try answer.decidir(pagamento: present.payment)
        }
        let view =
            Self.card(execution.events, setting.payment)
            ?? ChargeView(data.pagamento, transaction, .cartao, data.valor, status: Self.name(status))
        return CommandAnswer(view, at: execution.position)
    }

    /// What is recorded when the desk took money.
    func take(_ command: ReceberNoBalcao, for subject: Subject, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        switch subject {
        case .booking(let booking): return try await take(command, forBooking: booking, loader)
        case .payment(let payment):
            let state = Pagamento.dobrar(try await loader.load(.pagamento(payment)))
            switch try state.exigirVisivel(para: command.ator).causa {
            case .reserva(let booking), .diferenca(let booking, _): return try await take(command, forBooking: booking, loader)
            case .excedente: return try command.decidir(pagamento: state, mensalidade: nil)
            case .mensalidade(let user, let begun):
                let fees = Mensalidades.dobrar(try await loader.load(.assinatura(user)))
                return try command.decidir(pagamento: state, mensalidade: fees.da(.mensalidade(user, inicio: begun)))
            }
        }
    }

    private func take(_ command: ReceberNoBalcao, forBooking booking: ReservaID, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
        _ = try state.exigirVisivel(para: command.ator)
        return try command.decidir(reserva: state, pagamentos: try await loader.charges(of: state))
    }

    /// What was recorded of a try with a card.
    private static func card(_ events: [EventoDoDominio], _ payment: Pagamento) -> ChargeView? {
        for case .pagamentos(let event) in events {
            if case .pagamentoAprovado(let paid) = event {
                return ChargeView(paid.pagamento, paid.transacao, paid.metodo, paid.valor, status: "approved")
            }
            if case .pagamentoRecusado(let refused) = event {
                let amount = payment.dados?.valor ?? .zero
                return ChargeView(
                    refused.pagamento, refused.transacao, refused.metodo, amount, status: "refused", refusal: refused.motivo
                )
            }
            if case .tentativaRespondida(let told) = event { return ChargeView(told) }
        }
        return nil
    }

    /// What the member is told of a PIX that was paid before it was recorded.
    private func answer(_ paid: Recebimento) -> ResponderTentativa {
        ResponderTentativa(transacao: paid.transacao, metodo: .pix, valor: paid.valor, recusa: nil, agora: commands.now)
    }

    /// What the member is told of a try, where it is settled.
    private func answer(_ status: ChargeStatus, of transaction: TransacaoID, _ data: DadosDoPagamento) -> ResponderTentativa? {
        let refusal: MotivoDaRecusa?
        switch status {
        case .approved: refusal = nil
        case .refused(_, let reason): refusal = reason
        case .unknown, .pending, .expired: return nil
        }
        return ResponderTentativa(transacao: transaction, metodo: .cartao, valor: data.valor, recusa: refusal, agora: commands.now)
    }

    private static func name(_ status: ChargeStatus) -> String {
        switch status {
        case .approved: "approved"
        case .refused: "refused"
        case .unknown, .pending, .expired: "pending"
        }
    }

    private func order(_ transaction: TransacaoID, _ data: DadosDoPagamento) -> ChargeOrder {
        ChargeOrder(transaction: transaction, amount: data.valor, now: commands.now, expires: data.expiraEm)
    }

    private func setting(of subject: Subject, for actor: Ator, _ loader: StreamLoader) async throws -> Setting {
        switch subject {
        case .booking(let booking):
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            return try await setting(of: try state.exigirVisivel(para: actor).aCobrar.causa, state, loader)
        case .payment(let payment):
            let state = Pagamento.dobrar(try await loader.load(.pagamento(payment)))
            return try await setting(of: try state.exigirVisivel(para: actor).causa, loader)
        }
    }

    private func setting(of cause: CausaDaCobranca, _ loader: StreamLoader) async throws -> Setting {
        let booking = if let booking = cause.reserva { try await loader.load(.reserva(booking)) } else { [EventoDoDominio]() }
        return try await setting(of: cause, .dobrar(booking), loader)
    }

    private func setting(of cause: CausaDaCobranca, _ booking: Reserva, _ loader: StreamLoader) async throws -> Setting {
        let payment = Pagamento.dobrar(try await loader.load(.pagamento(cause.pagamento)))
        let opening =
            switch cause {
            case .reserva, .diferenca: AcompanharReserva(agora: commands.now).decidir(reserva: booking, causa: cause, pagamento: payment)
            case .excedente, .mensalidade: [EventosDoFluxo]()
            }
        return Setting(
            cause: cause,
            payment: opening.flatMap(\.eventos).reduce(payment) { $0.evoluindo(com: $1) },
            opening: opening,
            zone: booking.dados?.horario.fuso ?? Self.home,
            price: booking.dados?.cotacao.total ?? .zero
        )
    }

    private func next(_ pay: PagarCobranca, _ setting: Setting) throws -> PagarCobranca.Passo {
        if setting.payment == .inexistente {
            throw setting.price > .zero ? RecusaDePagamentos.cobrancaEncerrada : .nadaAPagar
        }
        return try pay.proximo(setting.payment)
    }

    /// Before a provider is asked for money the log knows of the charge, whatever becomes of this request: what the provider says of it
    /// later is recorded there, and goes back if nothing is left to be paid for.
    private func open(_ setting: Setting, _ request: Request, _ context: CoworkRequestContext, _ body: [UInt8]) async throws {
        guard !setting.opening.isEmpty else { return }
        _ = try await commands.run(request, context, body: body, repeatable: false) { loader in
            try await self.setting(of: setting.cause, loader).opening
        }
    }

    /// What changes the charge and what follows go into one stream, and so into one append.
    private func join(_ setting: Setting, _ decided: [EventosDoFluxo]) -> [EventosDoFluxo] {
        guard !decided.isEmpty else { return [] }
        return [EventosDoFluxo(.pagamento(setting.id), (setting.opening + decided).flatMap(\.eventos))]
    }

    /// Asks the provider, and tells the caller in our own words why it did not do it.
    private func ask<Value>(_ body: () async throws(ProviderError) -> Value) async throws -> Value {
        do {
            return try await body()
        } catch .unavailable {
            var problem = Problem(
                .serviceUnavailable,
                code: "payment_provider_unavailable",
                portuguese: "O provedor de pagamentos não responde. Tente de novo: a cobrança é feita uma vez só.",
                english: "The payment provider does not answer. Try again: you are charged once at most."
            )
            problem.retryAfter = 2
            throw problem
        } catch .rejected {
            throw Problem(
                .badGateway,
                code: "payment_provider_refused",
                portuguese: "O provedor de pagamentos não aceitou a cobrança.",
                english: "The payment provider did not accept the charge."
            )
        } catch .unsupported(let method) {
            throw RecusaDePagamentos.metodoIndisponivel(method)
        }
    }
}
