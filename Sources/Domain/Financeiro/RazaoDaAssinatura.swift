/// What a subscription means to the ledger, folded from its stream and those of its charges: the fee of a period is owed, and deferred,
/// from the period's beginning, and earned day by day, to the centavo. What is paid of it is owed no more. Where the subscription ends at
/// once and a fee was not paid, that fee is taken back whole, with what of it had been earned. What a dearer plan costs more for the rest of
/// a period is a fee of its own, of the days that are left.
package struct RazaoDaAssinatura: Sendable {
    /// More days than any month has: what counts more is no period of a subscription.
    private static let maisDias: Int64 = 62

    /// A period whose fee is not zero, or the rest of one.
    private struct Periodo {
        let usuario: UsuarioID
        let valor: Dinheiro
        let primeiroDia: DataCivil
        let dias: Int64
        let fato: Fato
        /// Its charge.
        let pagamento: PagamentoID
        var pago = false
        /// When its fee was taken back.
        var desfeito: Instante?
    }

    private let zona: ZonaHoraria
    private let agora: Instante
    private var periodos: [Periodo] = []
    /// Payments that paid no fee: what of them goes back was never earned.
    private var alheias: Set<TransacaoID> = []
    private var lancamentos: [LancamentoProposto] = []

    private init(zona: ZonaHoraria, agora: Instante) {
        self.zona = zona
        self.agora = agora
    }

    /// The entries that a subscription's history asks for by now.
    ///
    /// - Parameters:
    ///   - fatos: All that happened to the subscription and its charges, in the order of the log.
    ///   - zona: By whose days its periods are counted.
    package static func lancamentos(
        de fatos: some Sequence<Fato>,
        zona: ZonaHoraria,
        agora: Instante
    ) throws(ErroDeDinheiro) -> [LancamentoProposto] {
        var razao = RazaoDaAssinatura(zona: zona, agora: agora)
        for fato in fatos {
            switch fato.evento {
            case .precos(.assinaturaIniciada(let inicio)):
                razao.cobrar(inicio.mensalidade, de: inicio.usuario, inicio.periodo, fato)
            case .precos(.assinaturaRenovada(let renovacao)):
                razao.cobrar(renovacao.mensalidade, de: renovacao.usuario, renovacao.periodo, fato)
            case .precos(.planoTrocado(let troca)): razao.cobrar(troca.diferenca, de: troca.usuario, troca.periodo, fato)
            case .precos(.assinaturaCancelada(let fim)): try razao.encerrar(fim, fato)
            case .pagamentos(.pagamentoAprovado(let pagamento)): razao.receber(pagamento, fato)
            case .pagamentos(.pagamentoEstornado(let estorno)): razao.devolver(estorno, fato)
            case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .financeiro, .analytics, .notificacoes: break
            }
        }
        for periodo in razao.periodos { try razao.ganhar(periodo) }
        return razao.lancamentos
    }

    private mutating func cobrar(_ valor: Dinheiro, de usuario: UsuarioID, _ periodo: PeriodoDaAssinatura, _ fato: Fato) {
        let primeiro = zona.data(de: periodo.inicio)
        let dias = zona.data(de: periodo.fim).diasDesde1970 - primeiro.diasDesde1970
        guard valor > .zero, (1...Self.maisDias).contains(dias) else { return }
        periodos.append(
            Periodo(
                usuario: usuario,
                valor: valor,
                primeiroDia: primeiro,
                dias: dias,
                fato: fato,
                pagamento: CausaDaCobranca.mensalidade(usuario, inicio: periodo.inicio).pagamento
            )
        )
        lancar(
            fato.id.como(), .cobrancaDePlano, Partidas(debitar: [(.aReceber, valor)], creditar: [(.receitaAntecipada, valor)]),
            dia: primeiro, usuario, fato
        )
    }

    /// What was paid of a fee is owed no more; what paid none waits to go back.
    private mutating func receber(_ pagamento: PagamentoAprovado, _ fato: Fato) {
        var conta = ContaContabil.receitaAntecipada
        if pagamento.quita,
            let posicao = periodos.firstIndex(where: { $0.pagamento == pagamento.pagamento && $0.desfeito == nil && !$0.pago })
        {
            periodos[posicao].pago = true
            conta = .aReceber
        } else {
            alheias.insert(pagamento.transacao)
        }
        let partidas = Partidas(debitar: [(.caixa, pagamento.valor)], creditar: [(conta, pagamento.valor)])
        lancar(fato.id.como(), .recebimento, partidas, dia: zona.data(de: pagamento.em), pagamento.usuario, fato)
    }

    private mutating func devolver(_ estorno: PagamentoEstornado, _ fato: Fato) {
        let conta: ContaContabil = alheias.contains(estorno.transacao) ? .receitaAntecipada : .estornos
        let partidas = Partidas(debitar: [(conta, estorno.valor)], creditar: [(.caixa, estorno.valor)])
        lancar(fato.id.como(), .estorno, partidas, dia: zona.data(de: estorno.em), estorno.usuario, fato)
    }

    /// What ends at once and was not paid is owed no more, nor earned.
    private mutating func encerrar(_ fim: AssinaturaCancelada, _ fato: Fato) throws(ErroDeDinheiro) {
        guard fim.terminaEm <= fim.em else { return }
        var (devido, ganho) = (Dinheiro.zero, Dinheiro.zero)
        for posicao in periodos.indices where !periodos[posicao].pago && periodos[posicao].desfeito == nil {
            periodos[posicao].desfeito = fim.em
            devido = try devido.somando(periodos[posicao].valor)
            ganho = try ganho.somando(try ganhos(periodos[posicao], ate: fim.em).last ?? .zero)
        }
        let partidas = Partidas(
            debitar: [(.receitaAntecipada, try devido.subtraindo(ganho)), (.receitaDePlanos, ganho)], creditar: [(.aReceber, devido)]
        )
        lancar(fato.id.como(), .cancelamentoDePlano, partidas, dia: zona.data(de: fim.em), fim.usuario, fato)
    }

    /// What is earned with each of a period's days that is over at a moment, the days before included. That is rounded, not the day's
    /// share: the days add up to the fee.
    private func ganhos(_ periodo: Periodo, ate momento: Instante) throws(ErroDeDinheiro) -> [Dinheiro] {
        var ganhos: [Dinheiro] = []
        for numero in 1...periodo.dias {
            guard momento >= zona.inicioDoDia(periodo.primeiroDia.somandoDias(Int(numero))) else { break }
            ganhos.append(try periodo.valor.vezes([numero], sobre: [periodo.dias]))
        }
        return ganhos
    }

    private mutating func ganhar(_ periodo: Periodo) throws(ErroDeDinheiro) {
        var ganho = Dinheiro.zero
        for (posicao, ateAqui) in try ganhos(periodo, ate: min(agora, periodo.desfeito ?? agora)).enumerated() {
            let parcela = try ateAqui.subtraindo(ganho)
            ganho = ateAqui
            lancar(
                .doDia(Int64(posicao + 1), de: periodo.fato.id), .diaDePlano,
                Partidas(debitar: [(.receitaAntecipada, parcela)], creditar: [(.receitaDePlanos, parcela)]),
                dia: periodo.primeiroDia.somandoDias(posicao), periodo.usuario, periodo.fato
            )
        }
    }

    private mutating func lancar(
        _ lancamento: LancamentoID,
        _ historico: HistoricoDoLancamento,
        _ partidas: Partidas?,
        dia: DataCivil,
        _ usuario: UsuarioID,
        _ fato: Fato
    ) {
        guard let partidas else { return }
        lancamentos.append(
            LancamentoProposto(
                lancamento: lancamento,
                historico: historico,
                partidas: partidas,
                data: dia,
                unidade: nil,
                assunto: .assinatura(usuario),
                causa: fato.causa
            )
        )
    }
}

extension LancamentoID {
    /// Of the n-th day that an event is earned on, from 1.
    fileprivate static func doDia(_ numero: Int64, de evento: EventoID) -> LancamentoID {
        // The upper bits of the lower half say which sort of UUID it is, and stay.
        LancamentoID(
            alto: evento.alto, baixo: evento.baixo ^ (UInt64(truncatingIfNeeded: numero) &* 0x9E37_79B9_7F4A_7C15 & 0x3FFF_FFFF_FFFF_FFFF))
    }
}

extension PeriodoDaAssinatura {
    /// When its days are over, near enough: the ends of its local days, two hours later, so that clocks set forward or back
    /// do not make any of them too early.
    package var fimDosDias: [Instante] {
        var dias: [Instante] = []
        var fim = fim
        while fim > inicio, dias.count < 62 {
            dias.append(fim + .horas(2))
            fim = fim - .horas(24)
        }
        return dias.reversed()
    }
}
