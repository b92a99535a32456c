import AsyncHTTPClient
import Foundation
import Gateway
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// With the process of `pagamentos` apart, so that it can be killed.
    @Suite(.serialized, .system(mayLogErrors: true, apart: [.pagamentos]))
    struct PaymentCrashes {
        @Test("Killed between the provider's giving back and its record, pagamentos has it go back once")
        func refund() async throws {
            let system = try TestSystem.current()
            let pagamentos = try Apart(.pagamentos, of: system)
            defer { pagamentos.kill() }
            try await pagamentos.start()
            let stay = try await system.paid()
            let transaction = try #require(try await stay.payment()["transaction_id"].text)

            try pagamentos.order("after-provider kill 1")
            try await stay.member.client.delete("/reservations/\(stay.id)").expect(200)
            try await pagamentos.wasKilled()

            // The provider has given it back, and nobody here knows
            #expect(try await refunds(of: transaction, system) == [6_000])
            let between = try await stay.payment()
            #expect(between["refunding_cents"] == 6_000 && between["refunded_cents"] == 0)

            try await pagamentos.start()
            // The timer is the dead process's until its claim runs out
            try await eventually("the payment is refunded", within: .seconds(90)) { try await stay.payment()["status"] == "refunded" }
            #expect(try await refunds(of: transaction, system) == [6_000])
            #expect(try await system.count(of: "pagamentos.PagamentoEstornado", about: stay) == 1)
            #expect(try await stay.ledger() == [:])
        }

        @Test("Killed between the provider's charge of a card and its record, pagamentos has it paid once")
        func charge() async throws {
            let system = try TestSystem.current()
            let pagamentos = try Apart(.pagamentos, of: system)
            defer { pagamentos.kill() }
            try await pagamentos.start()
            let hold = try await system.hold()
            try await system.behave(["charges": "approve", "lose": true])

            try pagamentos.order("after-provider kill 1")
            let answer = try await hold.charge("card", token: "tok_passa1234", key: "crash")
            #expect(answer.status >= 500, "\(answer)")
            try await pagamentos.wasKilled()
            #expect(try await hold.member.client.get("/reservations/\(hold.id)", after: try await system.head())["status"] == "pending")

            // The same again is the same try
            try await pagamentos.start()
            let again = try await hold.member.client.persistently { client in
                let body: JSONValue = ["reservation_id": .string(hold.id), "method": "card", "card_token": "tok_passa1234"]
                return try await client.post("/payments/charge", body, key: "crash")
            }.expect(200)
            #expect(again["status"] == "approved")
            try await system.behave([:])
            try await hold.becomes("active")
            let payment = try await hold.payment()
            #expect(payment["paid_cents"] == 6_000 && payment["refunds"].items.isEmpty)
            #expect(try await system.count(of: "pagamentos.PagamentoAprovado", about: hold) == 1)
            #expect(try await hold.ledger() == ["cash": 6_000, "deferred_revenue": 6_000])
        }

        @Test("Killed between the making of a PIX, which is paid at once, and its record, pagamentos tells who asks again that it is paid")
        func pix() async throws {
            let system = try TestSystem.current()
            let pagamentos = try Apart(.pagamentos, of: system)
            defer { pagamentos.kill() }
            try await pagamentos.start()
            let hold = try await system.hold()
            try await system.behave(["charges": "approve"])

            try pagamentos.order("after-provider kill 1")
            let answer = try await hold.charge("pix", key: "crash")
            #expect(answer.status >= 500, "\(answer)")
            try await pagamentos.wasKilled()

            // The provider's word that it is paid comes before the member asks again
            try await pagamentos.start()
            try await hold.becomes("active")
            for _ in 0..<2 {
                let again = try await hold.charge("pix", key: "crash").expect(200)
                #expect(again["status"] == "approved" && again["amount_cents"] == 6_000)
            }
            // Anybody else is told that nothing is left to pay
            try await hold.charge("pix", key: "another").expectProblem(409, "already_paid")
            #expect(try await system.count(of: "pagamentos.PagamentoAprovado", about: hold) == 1)
            #expect(try await system.count(of: "pagamentos.PixGerado", about: hold) == 0)
        }

        @Test("Killed between the making of a charge's first PIX and its record, pagamentos still knows whose money it is")
        func first() async throws {
            let system = try TestSystem.current()
            let pagamentos = try Apart(.pagamentos, of: system)
            defer { pagamentos.kill() }
            let hold = try await system.hold()
            try await system.behave(["charges": "approve"])

            // Nobody else opens the charge meanwhile
            try await system.holdingTimersBack {
                try await pagamentos.start()
                try pagamentos.order("after-provider kill 1")
                let answer = try await hold.charge("pix", key: "crash")
                #expect(answer.status >= 500, "\(answer)")
                try await pagamentos.wasKilled()
                try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
            }

            // What the bank took for a booking that is not wanted any more goes back
            try await pagamentos.start()
            try await eventually("the payment is refunded", within: .seconds(90)) { try await hold.payment()["status"] == "refunded" }
            #expect(try await system.count(of: "pagamentos.PagamentoAprovado", about: hold) == 1)
            #expect(try await hold.ledger() == [:])
        }

        /// What the provider has given back of a payment, in centavos.
        private func refunds(of transaction: String, _ system: TestSystem) async throws -> [Double] {
            try await system.sandbox.get("/charges/\(transaction)").expect(200)["refunds"].items.compactMap { $0["amount_cents"].number }
        }
    }
}

/// A role of a system that is a process of its own.
private final class Apart {
    private let system: TestSystem
    private let role: Role
    private let orders: URL
    private var process = Process()

    init(_ service: ServiceName, of system: TestSystem) throws {
        self.system = system
        role = .service(service)
        orders = system.folder.appending(path: "fault-point-\(UUID().uuidString)")
    }

    /// Starts it, and waits until it serves.
    func start() async throws {
        process = Process()
        process.executableURL = try Program.url()
        process.arguments = role.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(system.environment) { $1 }
            .merging(["COWORKFLOW_FAULT_POINTS": orders.path]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        guard case .service(let service) = role, let url = system.settings.serviceURLs[service]?.first else { return }
        let client = Client(http: system.visitor.http, address: url)
        try await eventually("\(service) serves", within: .seconds(30)) { (try? await client.get("/health"))?.status == 200 }
    }

    /// What it is to do at a fault point.
    func order(_ text: String) throws {
        try Data(text.utf8).write(to: orders)
    }

    func wasKilled() async throws {
        try await eventually("it has died", within: .seconds(30)) { !process.isRunning }
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

extension TestSystem {
    /// Does something while no policy gives a command.
    fileprivate func holdingTimersBack(_ body: () async throws -> Void) async throws {
        let connection = try await PostgresConnection.connect(settings.postgres, logger: Journal().logger())
        try await connection.run { connection in
            try connection.execute("begin")
            try connection.execute("lock table subs.timers in exclusive mode")
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await connection.close()
        try result.get()
    }

    /// How many events of a type are in the streams of a booking's charge.
    fileprivate func count(of type: String, about hold: Hold) async throws -> Int64 {
        let payment = try #require(try await hold.payment()["id"].text)
        return try await pool.withConnection { connection in
            try connection.query("select count(*) from log.events where type = $1 and stream = $2", type, "pagamento-\(payment)")[0]
                .get(0, Int64.self)
        }
    }
}
