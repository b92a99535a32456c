/// Staff took money at the desk: all that is owed for a booking, or of a charge. It is there at once, and what waits for it stands.
package struct ReceberNoBalcao: Hashable, Sendable {
    package let ator: Ator
    /// One that is taken at the desk.
    package let metodo: MetodoDePagamento
    /// What was taken; nil for whatever is owed.
    package let valor: Dinheiro?
    /// The receipt's number.
    package let referencia: String?
    package let agora: Instante

    package init(ator: Ator, metodo: MetodoDePagamento, valor: Dinheiro? = nil, referencia: String? = nil, agora: Instante) {
        self.ator = ator
        self.metodo = metodo
        self.valor = valor
        self.referencia = referencia
        self.agora = agora
    }

    /// What a booking owes: its price, what a move made it cost more, or what of these was to be paid at the desk.
    /// - Parameter pagamentos: The streams of `DadosDaReserva.pagamentos`, in that order.
    package func decidir(reserva estado: Reserva, pagamentos: [Pagamento]) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        // Their own booking in another unit they see, and pay as members do.
        if let dados = estado.dados, !ator.opera(em: dados.unidade) { throw .soEquipe }
        switch estado {
        case .inexistente, .expirada, .cancelada: throw .cobrancaEncerrada
        case .pendente(let dados, let retencao):
            guard dados.aprovacaoAte == nil, agora < retencao else { throw .cobrancaEncerrada }
            let (causa, devido) = dados.aCobrar
            let cobranca = try receber(devido, causa, dados, zip(dados.cobrancas, pagamentos).first { $0.0 == causa }?.1 ?? .inexistente)
            let confirmada = ReservaConfirmada(
                reserva: dados.reserva, motivo: .pagamento, por: ator.usuario, pagamento: causa.pagamento, em: agora
            )
            return [cobranca, EventosDoFluxo(.reserva(dados.reserva), reservas: .reservaConfirmada(confirmada))]
        case .confirmada(let dados), .concluida(let dados), .ausente(let dados):
            // The price first, then what the latest move made it cost more.
            let abertas = zip(dados.cobrancas, pagamentos).filter { dados.aceita($0.1) }
            guard let (causa, pagamento) = abertas.first(where: { $0.0 == .reserva(dados.reserva) }) ?? abertas.last else { throw .jaPago }
            return [try receber(dados.devidoNoBalcao(pagamentos), causa, dados, pagamento)]
        }
    }

    /// What a charge that is no booking's is about: time that somebody stayed on, the fee of a subscription.
    /// - Parameter mensalidade: The fee, where it is one.
    package func decidir(pagamento: Pagamento, mensalidade: Mensalidade?) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        guard let dados = pagamento.dados, ator.atende(dados.unidade) else { throw .pagamentoNaoEncontrado }
        if pagamento.estaQuitado { throw .jaPago }
        // What ended unpaid is owed no more.
        guard mensalidade?.fim == nil else { throw .cobrancaEncerrada }
        return [EventosDoFluxo(.pagamento(dados.pagamento), try aprovar(dados.valor, dados, pagamento))]
    }

    private func receber(
        _ devido: Dinheiro,
        _ causa: CausaDaCobranca,
        _ reserva: DadosDaReserva,
        _ pagamento: Pagamento
    ) throws(RecusaDePagamentos) -> EventosDoFluxo {
        guard devido > .zero, reserva.aceita(pagamento) else { throw .jaPago }
        var eventos: [EventoDoDominio] = []
        if let aberta = pagamento.dados {
            if aberta.valor != devido {
                let alterada = CobrancaAlterada(pagamento: causa.pagamento, causa: causa, de: aberta.valor, para: devido, em: agora)
                eventos.append(.pagamentos(.cobrancaAlterada(alterada)))
            }
        } else {
            let criada = CobrancaCriada(
                pagamento: causa.pagamento,
                causa: causa,
                usuario: reserva.usuario,
                unidade: reserva.unidade,
                valor: devido,
                expiraEm: agora,
                em: agora
            )
            eventos.append(.pagamentos(.cobrancaCriada(criada)))
        }
        let estado = eventos.reduce(pagamento) { $0.evoluindo(com: $1) }
        guard let dados = estado.dados else { throw .pagamentoNaoEncontrado }
        return EventosDoFluxo(.pagamento(causa.pagamento), eventos + (try aprovar(devido, dados, estado)))
    }

    private func aprovar(
        _ devido: Dinheiro,
        _ dados: DadosDoPagamento,
        _ estado: Pagamento
    ) throws(RecusaDePagamentos) -> [EventoDoDominio] {
        guard metodo.noBalcao else { throw .metodoIndisponivel(metodo) }
        guard valor == nil || valor == devido else { throw .valorDiferente(devido: devido) }
        guard let transacao = dados.transacaoNoBalcao else { throw .tentativasDemais }
        let aprovado = PagamentoAprovado(
            pagamento: dados.pagamento,
            causa: dados.causa,
            usuario: dados.usuario,
            unidade: dados.unidade,
            transacao: transacao,
            metodo: metodo,
            valor: devido,
            referencia: referencia,
            quita: true,
            tardio: estado == .encerrado(dados),
            em: agora
        )
        return [.pagamentos(.pagamentoAprovado(aprovado))]
    }
}

extension DadosDaReserva {
    /// Whether the desk may take money for a charge: it was not paid, or the payment was undone and has gone back.
    fileprivate func aceita(_ pagamento: Pagamento) -> Bool {
        !pagamento.estaQuitado || (recebido(em: pagamento) == nil && pagamento.pago == .zero)
    }

    /// What of the price was neither paid nor forgiven. Money that a move gave back paid none of it; what was given back otherwise was
    /// paid.
    /// - Parameter pagamentos: The streams of `pagamentos`.
    func devidoNoBalcao(_ pagamentos: [Pagamento]) -> Dinheiro {
        // What a move forwent paid for nothing that is used.
        var pago = -retido.centavos
        for case (let dados, let recebimento)? in pagamentos.map(recebido) {
            let voltou = dados.estornos.filter { $0.motivo == .remarcacao && $0.situacao != .recusado }
            pago += recebimento.valor.centavos - voltou.reduce(0) { $0 + $1.valor.centavos }
        }
        return Dinheiro(centavos: max(0, cotacao.total.centavos - (reembolso?.valor.centavos ?? 0) - pago))
    }
}
