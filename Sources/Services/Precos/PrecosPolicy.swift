package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// The times of a subscription: its period ends, its fee is not paid, its owner is erased.
package struct PrecosPolicy: Policy {
    package let name = "precos.assinaturas"
    package let contexts: Set<String> = ["usuarios", "precos", "pagamentos"]

    static let renew = "precos.renovar_assinatura"
    static let endErased = "precos.encerrar_do_apagado"
    static let endUnpaid = "precos.encerrar_por_falta"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .usuarios(.usuarioApagado(let erased)):
            [ScheduledCommand(kind: Self.endErased, aggregate: erased.usuario.texto, due: erased.em.microssegundos)]
        case .precos(.assinaturaIniciada(let begun)): [renewal(of: begun.usuario, begun.periodo)]
        case .precos(.assinaturaRenovada(let renewed)): [renewal(of: renewed.usuario, renewed.periodo)]
        case .pagamentos(.cobrancaExpirada(let closed)): end(of: closed)
        case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: []
        }
    }

    private func end(of charge: CobrancaExpirada) -> [ScheduledCommand] {
        guard charge.motivo == .prazo, case .mensalidade(let user, let begun) = charge.causa else { return [] }
        let due = charge.em + EncerrarPorFaltaDePagamento.espera
        return [
            ScheduledCommand(kind: Self.endUnpaid, aggregate: "\(user.texto)/\(begun.microssegundos)", due: due.microssegundos)
        ]
    }

    private func renewal(of user: UsuarioID, _ period: PeriodoDaAssinatura) -> ScheduledCommand {
        ScheduledCommand(kind: Self.renew, aggregate: user.texto, due: period.fim.microssegundos)
    }

    /// What is done when a time comes. The deciders ignore what no longer applies.
    package func handlers(_ commands: CommandHandling, zones: ZoneCatalog) -> [String: TimerRunner.Handler] {
        [
            Self.renew: { timer in try await renew(timer, commands, zones) },
            Self.endUnpaid: { timer in
                let parts = timer.aggregate.split(separator: "/")
                guard parts.count == 2, let user = UsuarioID(parts[0]), let begun = Int64(parts[1]) else { throw Problem.notFound }
                let cause = CausaDaCobranca.mensalidade(user, inicio: Instante(microssegundos: begun))
                _ = try await commands.run(timer, of: name) { loader in
                    let streams = try await loader.load([.assinatura(user), .pagamento(cause.pagamento)])
                    let subscription = streams[.assinatura(user)] ?? []
                    return EncerrarPorFaltaDePagamento(causa: cause, agora: commands.now).decidir(
                        assinatura: .dobrar(subscription),
                        mensalidades: .dobrar(subscription),
                        pagamento: .dobrar(streams[.pagamento(cause.pagamento)] ?? [])
                    )
                }
            },
            Self.endErased: { timer in
                guard let user = UsuarioID(timer.aggregate) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: name) { loader in
                    EncerrarAssinatura(usuario: user, motivo: .contaApagada, agora: commands.now)
                        .decidir(assinatura: .dobrar(try await loader.load(.assinatura(user))))
                }
            },
        ]
    }

    private func renew(_ timer: DueTimer, _ commands: CommandHandling, _ zones: ZoneCatalog) async throws {
        guard let user = UsuarioID(timer.aggregate) else { throw Problem.notFound }
        let lot: LoteID = commands.newID()
        _ = try await commands.run(timer, of: name) { loader in
            let streams = try await loader.load([.usuario(user), .assinatura(user)])
            let subscription = Assinatura.dobrar(streams[.assinatura(user)] ?? [])
            guard let data = subscription.dados else { return [] }
            let plan = Plano.dobrar(try await loader.load(.plano(data.seguinte ?? data.plano)))
            let zone = try zones.zone(data.periodo.fuso)
            return RenovarAssinatura(usuario: user, lote: lot, zona: zone, agora: commands.now)
                .decidir(assinatura: subscription, plano: plan, conta: .dobrar(streams[.usuario(user)] ?? []))
        }
    }
}
