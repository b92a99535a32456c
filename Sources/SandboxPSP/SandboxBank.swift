import Domain
import EventStore
import Foundation
import HTTP

/// How much the sandbox has yet to tell.
struct SandboxWaiting: Encodable, Sendable {
    /// Webhooks, verdicts and refunds that are due, and webhooks on their way.
    let waiting: Int
    /// How many webhooks there ever were.
    let told: Int
}

/// What the sandbox knows: charges, refunds, and webhooks on their way. Charges are kept in a file where one is named, so that they outlive
/// the process.
actor SandboxBank {
    enum Refusal: Error {
        case unknown
        /// The same name stands for something else already.
        case different
        /// More would go back than came in.
        case exceeds
        case notPaid
        case settled
        case full
    }

    private struct Verdict {
        let due: Int64
        let transaction: String
        let approve: Bool
    }

    struct Delivery: Sendable {
        let event: SandboxEvent
        var due: Int64
        var attempts = 0
    }

    /// More than a simulated quarter needs.
    private static let mostCharges = 200_000
    private static let mostDeliveries = 10_000

    private(set) var behaviour: SandboxBehaviour
    private var charges: [String: SandboxCharge] = [:]
    private var verdicts: [Verdict] = []
    private var finishing: [(due: Int64, transaction: String, refund: String)] = []
    private var deliveries: [Delivery] = []
    /// How many webhooks are on their way now.
    private var underWay = 0
    /// How many there ever were.
    private var told = 0
    private let bell: AsyncStream<Void>.Continuation
    private let file: FileHandle?
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - path: of the file; nil for none.
    ///   - clock: microseconds since the Unix epoch.
    ///   - bell: rung when there is a webhook to send.
    init(
        behaviour: SandboxBehaviour,
        path: String?,
        clock: @escaping @Sendable () -> Int64,
        bell: AsyncStream<Void>.Continuation
    ) throws {
        self.behaviour = behaviour
        self.clock = clock
        self.bell = bell
        guard let path else {
            file = nil
            return
        }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        // A line that was cut off by the end of the process is none.
        for line in (try handle.readToEnd() ?? Data()).split(separator: UInt8(ascii: "\n")) {
            guard let charge = try? JSON.decode(SandboxCharge.self, from: Array(line)) else { continue }
            charges[charge.transaction] = charge
        }
        try handle.write(contentsOf: Data("\n".utf8))
        file = handle
    }

    func set(_ behaviour: SandboxBehaviour) {
        self.behaviour = behaviour
    }

    func charge(_ transaction: String) -> SandboxCharge? {
        guard var charge = charges[transaction] else { return nil }
        if charge.status == .pending, clock() >= charge.expiresAt.microssegundos,
            !verdicts.contains(where: { $0.transaction == transaction })
        {
            charge.status = .expired
        }
        return charge
    }

    /// The same again changes nothing, and says where the charge stands.
    func open(_ wanted: SandboxCharge) throws -> SandboxCharge {
        if let known = charge(wanted.transaction) {
            guard known.method == wanted.method, known.amountCents == wanted.amountCents else { throw Refusal.different }
            return known
        }
        guard charges.count < Self.mostCharges else { throw Refusal.full }
        try keep(wanted)
        if behaviour.charges != .wait {
            let due = clock() + behaviour.delayMs * 1000
            verdicts.append(Verdict(due: due, transaction: wanted.transaction, approve: behaviour.charges == .approve))
            // A card is answered at once where no delay is asked for.
            if behaviour.delayMs == 0, wanted.method == .cartao { try passVerdicts() }
        }
        return charges[wanted.transaction] ?? wanted
    }

    /// Pays or refuses a charge now, whatever the behaviour; a charge that has expired can be paid late.
    func decide(_ transaction: String, approve: Bool, cents: Int64? = nil) throws {
        guard var charge = charges[transaction] else { throw Refusal.unknown }
        guard charge.status != .approved else { throw Refusal.settled }
        let reference = "E99999999\(String(transaction.suffix(23)))"
        charge.status = approve ? .approved : .refused
        charge.paidCents = approve ? cents ?? charge.amountCents : nil
        charge.reference = approve ? reference : nil
        charge.refusal = approve ? nil : charge.method == .pix ? .canceladoPeloPagador : .cartaoRecusado
        try keep(charge)
        tell(SandboxEvent(id: "\(charge.status.rawValue)-\(transaction)", transaction: transaction, charge: .init(charge)))
    }

    func refund(_ id: String, of transaction: String, cents: Int64) throws -> SandboxRefund {
        guard var charge = charges[transaction] else { throw Refusal.unknown }
        if let known = charge.refunds.first(where: { $0.id == id }) {
            guard known.amountCents == cents else { throw Refusal.different }
            return known
        }
        guard charge.status == .approved, let paid = charge.paidCents else { throw Refusal.notPaid }
        let gone = charge.refunds.filter { $0.status != .refused }.reduce(0) { $0 + $1.amountCents }
        guard cents > 0, cents <= paid - gone else { throw Refusal.exceeds }
        var refund = SandboxRefund(id: id, amountCents: cents, status: .done)
        switch behaviour.refunds {
        case .done: refund.reference = "D99999999\(String(id.suffix(12)))"
        case .refuse:
            refund.status = .refused
            refund.refusal = .contaEncerrada
        case .later:
            refund.status = .processing
            finishing.append((clock() + behaviour.delayMs * 1000, transaction, id))
        }
        charge.refunds.append(refund)
        try keep(charge)
        return refund
    }

    /// Does what is due, and takes the webhooks that are to be sent now.
    func due() throws -> [Delivery] {
        try passVerdicts()
        let now = clock()
        let finished = finishing.filter { $0.due <= now }
        finishing.removeAll { $0.due <= now }
        for (_, transaction, id) in finished { try finish(id, of: transaction) }
        let ready = deliveries.filter { $0.due <= now }
        deliveries.removeAll { $0.due <= now }
        underWay += ready.count
        return behaviour.reorder ? ready.reversed() : ready
    }

    /// A webhook that was not taken comes again, later each time, for about an hour.
    func sent(_ delivery: Delivery, taken: Bool) {
        underWay -= 1
        if !taken { again(delivery) }
    }

    /// What is due and not done yet.
    func waiting() -> SandboxWaiting {
        let now = clock()
        let due =
            deliveries.filter { $0.due <= now }.count + verdicts.filter { $0.due <= now }.count + finishing.filter { $0.due <= now }.count
        return SandboxWaiting(waiting: due + underWay, told: told)
    }

    private func again(_ delivery: Delivery) {
        guard delivery.attempts < 12, deliveries.count < Self.mostDeliveries else { return }
        var delivery = delivery
        delivery.attempts += 1
        delivery.due = clock() + min(1 << Int64(delivery.attempts), 600) * 250_000
        deliveries.append(delivery)
    }

    private func passVerdicts() throws {
        let now = clock()
        let ready = verdicts.filter { $0.due <= now }
        guard !ready.isEmpty else { return }
        verdicts.removeAll { $0.due <= now }
        for verdict in ready where charges[verdict.transaction]?.status == .pending {
            try decide(verdict.transaction, approve: verdict.approve)
        }
    }

    private func finish(_ id: String, of transaction: String) throws {
        guard var charge = charges[transaction], let index = charge.refunds.firstIndex(where: { $0.id == id }) else { return }
        charge.refunds[index].status = .done
        charge.refunds[index].reference = "D99999999\(String(id.suffix(12)))"
        try keep(charge)
        tell(SandboxEvent(id: "refunded-\(id)", transaction: transaction, refundId: id, refund: charge.refunds[index]))
    }

    private func tell(_ event: SandboxEvent) {
        guard !behaviour.lose, deliveries.count < Self.mostDeliveries else { return }
        for _ in 0..<behaviour.sendings { deliveries.append(Delivery(event: event, due: clock())) }
        told += behaviour.sendings
        bell.yield()
    }

    private func keep(_ charge: SandboxCharge) throws {
        try file?.write(contentsOf: Data(try JSON.encode(charge)) + Data("\n".utf8))
        charges[charge.transaction] = charge
    }
}
