import Domain
import HTTP

/// Members who leave for good.
extension SimulationDriver {
    /// How many days lie between one who has themselves erased and the next.
    private static let pause: Int64 = 9

    /// At eleven in the morning, now and then, somebody who has nothing booked is erased at their own wish.
    func farewell(_ local: DataHoraLocal) async throws {
        guard local.hora.minutos == 11 * 60, local.data.diasDesde1970 % Self.pause == 4, members.count > 2 else { return }
        let first = dice.among(1...members.count - 1)
        let busy = Set(bookings.values.filter { $0.standing != .gone && $0.end > clock.time }.compactMap(\.member))
        let candidates = (0..<members.count - 1).map { 1 + (first - 1 + $0) % (members.count - 1) }
        guard let member = candidates.first(where: { !busy.contains($0) && !erased.contains($0) }) else { return }
        try await signIn([member])
        let reply = try await members[member].erase(client)
        note(reply)
        guard reply.isDone else { return }
        erased.insert(member)
        subscribers.removeAll { $0 == member }
        try await rest.come()
    }
}
