import Domain
import TestSupport

/// Coupons, subscriptions and credits.
extension RandomHistory {
    static func benefits(_ user: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let id: UsuarioID = Samples.id(user)
        let time = Samples.time(minutes)
        let booking: ReservaID = Samples.id(user)
        guard let code = CodigoDoCupom("CUPOM\(user)"), let lotMinutes = Minutos(1 + minutes % 600) else { throw Samples.Impossible() }
        let lots = [ParcelaDeLote(lote: Samples.id(minutes % 4), minutos: lotMinutes)]
        let discount = Dinheiro(centavos: Int64(1 + minutes))
        let event: EventoDePrecos
        switch Int.random(in: 0..<13, using: &random) {
        case 0: event = .cupomCriado(CupomCriado(codigo: code, termos: terms(minutes), em: time))
        case 1: event = .cupomUsado(CupomUsado(codigo: code, reserva: booking, usuario: id, desconto: discount, em: time))
        case 2: event = .cupomDevolvido(CupomDevolvido(codigo: code, reserva: booking, usuario: id, desconto: discount, em: time))
        case 3: event = .cupomDesativado(CupomDesativado(codigo: code, em: time))
        case 4:
            event = .assinaturaIniciada(
                AssinaturaIniciada(
                    usuario: id, plano: .premium, planoVersao: VersaoDeRegra(1), mensalidade: discount, periodo: period(minutes),
                    venceEm: time, por: id, em: time
                )
            )
        case 5:
            event = .assinaturaRenovada(
                AssinaturaRenovada(
                    usuario: id, plano: .premium, planoVersao: VersaoDeRegra(2), mensalidade: discount, periodo: period(minutes),
                    venceEm: time, em: time
                )
            )
        case 6:
            event = .assinaturaCancelada(
                AssinaturaCancelada(
                    usuario: id, plano: .premium, motivo: .membro, terminaEm: time,
                    lotesEncerrados: minutes.isMultiple(of: 2) ? [Samples.id(minutes % 4)] : nil, por: id, em: time
                )
            )
        case 7:
            event = .creditosConcedidos(
                CreditosConcedidos(
                    usuario: id, lote: Samples.id(minutes % 4), minutos: lotMinutes,
                    expiraEm: minutes.isMultiple(of: 2) ? time : nil, origem: .equipe, em: time
                )
            )
        case 8:
            event = .planoTrocado(
                PlanoTrocado(
                    usuario: id, de: .premium, deVersao: VersaoDeRegra(2), deMensalidade: discount, para: .enterprise,
                    paraVersao: VersaoDeRegra(3), paraMensalidade: discount, periodo: period(minutes), dias: 30, diasRestantes: 10,
                    diferenca: discount, venceEm: time, por: id, em: time
                )
            )
        case 9:
            event = .trocaDePlanoMarcada(
                TrocaDePlanoMarcada(usuario: id, de: .enterprise, para: .premium, valeDesde: time, por: id, em: time)
            )
        case 10: event = .trocaDePlanoDesfeita(TrocaDePlanoDesfeita(usuario: id, para: .premium, por: id, em: time))
        case 11: event = .creditosConsumidos(CreditosConsumidos(usuario: id, reserva: booking, lotes: lots, em: time))
        default: event = .creditosDevolvidos(CreditosDevolvidos(usuario: id, reserva: booking, lotes: lots, em: time))
        }
        try log.record(event.isCoupon ? .cupom(code) : .assinatura(id), .precos(event))
    }

    private static func terms(_ minutes: Int) -> TermosDoCupom {
        TermosDoCupom(
            desconto: minutes.isMultiple(of: 2) ? .percentual(.metade) : .valor(Dinheiro(centavos: Int64(1 + minutes))),
            validoDe: minutes.isMultiple(of: 3) ? Samples.time(minutes).diaUTC : nil,
            limiteDeUsos: 1 + minutes,
            limitePorMembro: minutes.isMultiple(of: 5) ? 1 : nil,
            tipos: [.cabine]
        )
    }

    private static func period(_ minutes: Int) -> PeriodoDaAssinatura {
        PeriodoDaAssinatura.primeiro(em: Samples.time(minutes), zona: .utc)
    }
}

extension EventoDePrecos {
    fileprivate var isCoupon: Bool {
        switch self {
        case .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado: true
        case .tarifarioPublicado, .planoPublicado, .assinaturaIniciada, .assinaturaRenovada, .planoTrocado, .trocaDePlanoMarcada,
            .trocaDePlanoDesfeita, .assinaturaCancelada, .creditosConcedidos,
            .creditosConsumidos, .creditosDevolvidos:
            false
        }
    }
}
