import Domain
import EventStore
import HTTP

/// Loads what decisions about the ledger rest on.
struct LedgerDesk: Sendable {
    /// The zone of the business, for what belongs to no unit.
    static let home = "America/Sao_Paulo"

    let zones: ZoneCatalog

    /// The entries that follow from a booking's history and are not in the ledger yet.
    func entries(of booking: ReservaID, at now: Instante, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
        let charges = (state.dados?.pagamentos ?? []) + [CausaDaCobranca.excedente(booking).pagamento]
        let history = try await loader.history(of: [.reserva(booking), .presenca(booking)] + charges.map(NomeDeFluxo.pagamento))
        guard let data = Reserva.dobrar(history.map(\.evento)).dados else { return [] }
        let wanted = try RazaoDaReserva.lancamentos(de: history, zona: try zones.zone(data.horario.fuso))
        return try await record(wanted, at: now, loader)
    }

    /// The entries of a subscription that are due at a time and not in the ledger yet. Those of earlier days have times of their own.
    /// - Parameter payment: The charge that the time is about, where it is about one.
    func entries(
        ofSubscription user: UsuarioID,
        payment: PagamentoID?,
        dueAt due: Instante,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        // The end of a subscription takes back every fee that is not paid, however old: of each it must be known.
        let fees = Mensalidades.dobrar(try await loader.load(.assinatura(user))).todas
            .filter { $0.fim != nil || $0.inicio >= due - Self.openFees }
        let charges = fees.map(\.causa.pagamento) + (payment.map { [$0] } ?? [])
        let history = try await loader.history(of: [.assinatura(user)] + Set(charges).sorted().map(NomeDeFluxo.pagamento))
        guard let period = Assinatura.dobrar(history.map(\.evento)).dados?.periodo else { return [] }
        let zone = try zones.zone(period.fuso)
        let (first, last) = (zone.data(de: due).somandoDias(-3), zone.data(de: due).somandoDias(1))
        let wanted = try RazaoDaAssinatura.lancamentos(de: history, zona: zone, agora: min(now, due))
            .filter { (first...last).contains($0.data) }
        return try await record(wanted, at: now, loader)
    }

    /// How long ago a period can have begun whose fee is still open: the time to pay it, and months that nobody looked.
    private static let openFees = Duracao.horas(100 * 24)

    private func record(_ wanted: [LancamentoProposto], at now: Instante, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let streams = try await loader.load(wanted.map(\.fluxo))
        let states = Dictionary(uniqueKeysWithValues: wanted.map { ($0.lancamento, Lancamento.dobrar(streams[$0.fluxo] ?? [])) })
        let missing = wanted.filter { states[$0.lancamento] == .inexistente }
        guard !missing.isEmpty else { return [] }
        return RegistrarLancamentos(propostos: missing, agora: now)
            .decidir(estados: states, periodos: try await periods(Set(missing.map(\.mes)), loader))
    }

    /// These months, and after each that is closed the next, up to one that is open.
    func periods(_ months: Set<MesCivil>, _ loader: StreamLoader) async throws -> Periodos {
        var states: [MesCivil: Periodo] = [:]
        var wanted = months
        while !wanted.isEmpty {
            let streams = try await loader.load(wanted.sorted().map { .periodo($0) })
            for month in wanted { states[month] = Periodo.dobrar(streams[.periodo(month)] ?? []) }
            wanted = Periodos(states).faltantes
        }
        return Periodos(states)
    }
}
