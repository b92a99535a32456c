/// What a subscription means to the ledger, folded from its stream: the fee of a period is owed, and deferred, from the period's
/// beginning, and earned day by day, to the centavo.
package struct RazaoDaAssinatura: Sendable {
    /// More days than any month has: what counts more is no period of a subscription.
    private static let maisDias: Int64 = 62

    private let zona: ZonaHoraria
    private let agora: Instante
    private var lancamentos: [LancamentoProposto] = []

    private init(zona: ZonaHoraria, agora: Instante) {
        self.zona = zona
        self.agora = agora
    }

    /// The entries that a subscription's history asks for by now, in order.
    ///
    /// - Parameters:
    ///   - fatos: All that happened to the subscription, in the order of the log.
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
                try razao.cobrar(inicio.mensalidade, de: inicio.usuario, inicio.periodo, fato)
            case .precos(.assinaturaRenovada(let renovacao)):
                try razao.cobrar(renovacao.mensalidade, de: renovacao.usuario, renovacao.periodo, fato)
            case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .financeiro, .analytics, .notificacoes: break
            }
        }
        return razao.lancamentos
    }

    private mutating func cobrar(
        _ valor: Dinheiro,
        de usuario: UsuarioID,
        _ periodo: PeriodoDaAssinatura,
        _ fato: Fato
    ) throws(ErroDeDinheiro) {
        let primeiro = zona.data(de: periodo.inicio)
        let dias = zona.data(de: periodo.fim).diasDesde1970 - primeiro.diasDesde1970
        guard valor > .zero, (1...Self.maisDias).contains(dias) else { return }
        lancar(
            fato.id.como(), .cobrancaDePlano, Partidas(debitar: [(.aReceber, valor)], creditar: [(.receitaAntecipada, valor)]),
            dia: primeiro, usuario, fato
        )
        var ganho = Dinheiro.zero
        for numero in 1...dias {
            let dia = primeiro.somandoDias(Int(numero) - 1)
            guard agora >= zona.inicioDoDia(dia.somandoDias(1)) else { break }
            // What is earned so far is rounded, not the day's share: the days add up to the fee.
            let ateAqui = try valor.vezes([numero], sobre: [dias])
            let parcela = try ateAqui.subtraindo(ganho)
            ganho = ateAqui
            lancar(
                .doDia(numero, de: fato.id), .diaDePlano,
                Partidas(debitar: [(.receitaAntecipada, parcela)], creditar: [(.receitaDePlanos, parcela)]),
                dia: dia, usuario, fato
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
