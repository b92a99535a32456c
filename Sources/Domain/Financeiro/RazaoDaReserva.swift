/// What a booking means to the ledger, folded from everything that happened to it, in the order of the log: an entry for each event
/// that moves money or earns it.
///
/// Money that comes in pays what is owed for what was used, and is deferred revenue beyond that. It is earned when the booked time
/// is over, or was not used by somebody who did not come; of a cancelled booking, what is not given back is earned at once. What
/// goes back comes out of deferred revenue while there is any, and lessens what had been earned otherwise.
///
/// An entry depends on what happened before it alone, so later events change none that was made.
package struct RazaoDaReserva: Sendable {
    private enum Situacao {
        case inexistente
        /// Held or confirmed.
        case aberta
        /// Cancelled or expired: nothing will be earned any more.
        case desfeita
        /// Used, or forgone by not coming.
        case encerrada
    }

    private let zona: ZonaHoraria
    private var situacao = Situacao.inexistente
    /// What is in deferred revenue for this booking, and in receivables.
    private var antecipado = Dinheiro.zero
    private var aReceber = Dinheiro.zero
    /// What is on its way back.
    private var aDevolver = Dinheiro.zero
    /// Given back, or on its way, of the price of a booking that stands: so much less will be earned.
    private var abatido = Dinheiro.zero
    /// Earned when it was given up, which a booking that is taken up again does not earn twice.
    private var taxas = Dinheiro.zero
    /// What of each payment paid what was owed.
    private var baixas: [TransacaoID: Dinheiro] = [:]
    /// The givings back of payments that came to nothing.
    private var semEfeito: Set<EstornoID> = []
    private var estado = Reserva.inicial
    package private(set) var lancamentos: [LancamentoProposto] = []

    /// - Parameter zona: of the unit.
    private init(zona: ZonaHoraria) {
        self.zona = zona
    }

    /// The entries that a booking's history asks for, in order.
    ///
    /// - Parameters:
    ///   - fatos: All that happened to the booking, its payment included, in the order of the log.
    ///   - zona: Of the unit of the booking.
    package static func lancamentos(de fatos: some Sequence<Fato>, zona: ZonaHoraria) throws(ErroDeDinheiro) -> [LancamentoProposto] {
        var razao = RazaoDaReserva(zona: zona)
        for fato in fatos { try razao.aplicar(fato) }
        return razao.lancamentos
    }

    private mutating func aplicar(_ fato: Fato) throws(ErroDeDinheiro) {
        switch fato.evento {
        case .reservas(let evento): try aplicar(evento, fato)
        case .pagamentos(let evento): try aplicar(evento, fato)
        case .checkin(let evento): try aplicar(evento, fato)
        case .usuarios, .espacos, .precos, .financeiro, .analytics, .notificacoes: break
        }
    }

    private mutating func aplicar(_ evento: EventoDeReservas, _ fato: Fato) throws(ErroDeDinheiro) {
        estado = estado.evoluindo(com: evento)
        switch evento {
        case .reservaSolicitada, .reservaConfirmada, .reservaRetomada: situacao = .aberta
        case .reservaExpirada(let expiracao):
            situacao = .desfeita
            if let reembolso = expiracao.reembolso { try cancelar(reembolso, em: expiracao.em, fato) }
        case .reservaCancelada(let cancelamento): try cancelar(cancelamento.reembolso, em: cancelamento.em, fato)
        case .reservaConcluida: try encerrar(.usoDaReserva, dia: estado.dados?.horario.ultimoDia, fato)
        case .reservaNaoComparecida(let ausencia): try faltar(ausencia.reembolso, em: ausencia.em, fato)
        case .reservaRemarcada(let remarcacao): try reter(remarcacao, fato)
        case .horarioOcupado, .horarioLiberado, .reservaAprovada, .convidadosDefinidos, .serieCriada, .serieAlterada,
            .serieEncerrada, .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            break
        }
    }

    private mutating func aplicar(_ evento: EventoDePagamentos, _ fato: Fato) throws(ErroDeDinheiro) {
        switch evento {
        case .pagamentoAprovado(let pagamento): try receber(pagamento, fato)
        case .pagamentoEstornado(let estorno): try devolver(estorno, fato)
        case .estornoSolicitado(let pedido):
            if pedido.motivo == .atraso { semEfeito.insert(pedido.estorno) }
            try reservarParaDevolver(pedido)
        case .estornoRecusado(let recusa): aDevolver = max(.zero, try aDevolver.subtraindo(recusa.valor))
        case .cobrancaCriada, .cobrancaAlterada, .pixGerado, .pagamentoRecusado, .tentativaRespondida, .cobrancaExpirada: break
        }
    }

    private mutating func aplicar(_ evento: EventoDeCheckin, _ fato: Fato) throws(ErroDeDinheiro) {
        switch evento {
        case .excedenteApurado(let excedente): try ganhar(excedente.valor, .excedente, dia: zona.data(de: excedente.em), fato)
        case .checkinRealizado, .checkoutRealizado, .naoComparecimentoRegistrado, .painelAutorizado, .painelRevogado: break
        }
    }

    // MARK: What happens

    /// Money came in. What is not owed waits to go back, and pays nothing.
    private mutating func receber(_ pagamento: PagamentoAprovado, _ fato: Fato) throws(ErroDeDinheiro) {
        let valor = pagamento.valor
        let baixa = pagamento.quita ? min(valor, aReceber) : .zero
        let resto = try valor.subtraindo(baixa)
        aReceber = try aReceber.subtraindo(baixa)
        antecipado = try antecipado.somando(resto)
        baixas[pagamento.transacao] = baixa
        lancar(
            .recebimento, Partidas(debitar: [(.caixa, valor)], creditar: [(.aReceber, baixa), (.receitaAntecipada, resto)]),
            dia: zona.data(de: pagamento.em), fato
        )
    }

    /// Money is to go back: what is beyond the price first, then, where an operator decides it, of the price. What a rule gives back of a
    /// booking that stands is none of its price.
    private mutating func reservarParaDevolver(_ pedido: EstornoSolicitado) throws(ErroDeDinheiro) {
        if situacao == .aberta, pedido.motivo == .operador {
            let livre = max(.zero, try guardado().subtraindo(try aGanhar()))
            abatido = try abatido.somando(max(.zero, try pedido.valor.subtraindo(livre)))
        }
        aDevolver = try aDevolver.somando(pedido.valor)
    }

    /// Money went back. A payment that is undone leaves owed what it had paid.
    private mutating func devolver(_ estorno: PagamentoEstornado, _ fato: Fato) throws(ErroDeDinheiro) {
        let valor = estorno.valor
        let deAntecipado = min(valor, antecipado)
        let resto = try valor.subtraindo(deAntecipado)
        let deAReceber = semEfeito.contains(estorno.estorno) ? min(resto, baixas[estorno.transacao] ?? .zero) : .zero
        aDevolver = max(.zero, try aDevolver.subtraindo(valor))
        antecipado = try antecipado.subtraindo(deAntecipado)
        aReceber = try aReceber.somando(deAReceber)
        lancar(
            .estorno,
            Partidas(
                debitar: [
                    (.receitaAntecipada, deAntecipado), (.aReceber, deAReceber), (.estornos, try resto.subtraindo(deAReceber)),
                ],
                creditar: [(.caixa, valor)]
            ),
            dia: zona.data(de: estorno.em),
            fato
        )
    }

    /// The price is earned: the booked time is over. So is whatever was paid beyond it and does not go back.
    private mutating func encerrar(_ historico: HistoricoDoLancamento, dia: DataCivil?, _ fato: Fato) throws(ErroDeDinheiro) {
        guard situacao == .aberta, let dia else { return }
        let ganho = max(try guardado(), try aGanhar())
        situacao = .encerrada
        try ganhar(ganho, historico, dia: dia, fato)
    }

    /// Nobody came: the price is earned as if the time had been used, less what goes back all the same.
    private mutating func faltar(_ reembolso: Reembolso, em: Instante, _ fato: Fato) throws(ErroDeDinheiro) {
        guard situacao == .aberta else { return }
        let ganho = max(try guardado(), try aGanhar())
        situacao = .encerrada
        try ganhar(max(.zero, try ganho.subtraindo(reembolso.valor)), .naoComparecimento, dia: zona.data(de: em), fato)
    }

    /// What was paid and does not go back is earned. What came in and was not counted for it goes back by itself.
    private mutating func cancelar(_ reembolso: Reembolso, em: Instante, _ fato: Fato) throws(ErroDeDinheiro) {
        situacao = .desfeita
        let taxa = max(.zero, try min(try guardado(), reembolso.pago).subtraindo(reembolso.valor))
        taxas = try taxas.somando(taxa)
        try ganhar(taxa, .taxaDeCancelamento, dia: zona.data(de: em), fato)
    }

    /// What a move at short notice forwent is earned at once, as of a cancellation.
    private mutating func reter(_ remarcacao: ReservaRemarcada, _ fato: Fato) throws(ErroDeDinheiro) {
        guard let retido = remarcacao.retido else { return }
        let taxa = min(try guardado(), retido)
        guard taxa > .zero else { return }
        try ganhar(taxa, .taxaDeCancelamento, dia: zona.data(de: remarcacao.em), fato)
    }

    /// What was paid before it was earned and is not on its way back.
    private func guardado() throws(ErroDeDinheiro) -> Dinheiro {
        max(.zero, try antecipado.subtraindo(aDevolver))
    }

    /// Earns an amount: out of what was paid before, and the rest is owed.
    private mutating func ganhar(
        _ valor: Dinheiro,
        _ historico: HistoricoDoLancamento,
        dia: DataCivil,
        _ fato: Fato
    ) throws(ErroDeDinheiro) {
        let pago = min(valor, try guardado())
        let devido = try valor.subtraindo(pago)
        antecipado = try antecipado.subtraindo(pago)
        aReceber = try aReceber.somando(devido)
        lancar(
            historico, Partidas(debitar: [(.receitaAntecipada, pago), (.aReceber, devido)], creditar: [(.receitaDeReservas, valor)]),
            dia: dia, fato
        )
    }

    /// What the booking will have earned at its end.
    private func aGanhar() throws(ErroDeDinheiro) -> Dinheiro {
        guard let dados = estado.dados else { return .zero }
        return max(.zero, try dados.cotacao.total.subtraindo(abatido).subtraindo(taxas))
    }

    private mutating func lancar(_ historico: HistoricoDoLancamento, _ partidas: Partidas?, dia: DataCivil, _ fato: Fato) {
        guard let partidas, let dados = estado.dados else { return }
        lancamentos.append(
            LancamentoProposto(
                lancamento: fato.id.como(),
                historico: historico,
                partidas: partidas,
                data: dia,
                unidade: dados.unidade,
                assunto: .reserva(dados.reserva),
                causa: fato.causa
            )
        )
    }
}

extension HorarioDaReserva {
    /// The local day on which the booked time ends: at midnight, the day that ends there.
    package var ultimoDia: DataCivil { trechosLocais.last?.dia ?? fimLocal.data }
}
