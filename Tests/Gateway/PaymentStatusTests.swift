import Domain
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Projections
import Testing

@testable import Gateway

@Suite struct PaymentStatusTests {
    /// What happens to a charge of 60,00, in the numbers of its tries to pay.
    enum Step: Sendable {
        case paid(Int, settles: Bool = true)
        case back(Int, cents: Int64 = 6_000, MotivoDoEstorno)
        case closed(MotivoDoEncerramento)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Of the booking's price, and of what each move made it cost more.
        let charges: [[Step]]
        /// Of each charge, and of the booking.
        let statuses: [String]
        let booking: String
    }

    static let stories: [Story] = [
        Story(testDescription: "paid", charges: [[.paid(1)]], statuses: ["approved"], booking: "approved"),
        Story(
            testDescription: "paid twice, the second payment went back",
            charges: [[.paid(1), .paid(2, settles: false), .back(2, .pagamentoIndevido)]], statuses: ["approved"], booking: "approved"
        ),
        Story(
            testDescription: "another amount came first and went back",
            charges: [[.paid(1, settles: false), .back(1, .pagamentoIndevido), .paid(2)]], statuses: ["approved"], booking: "approved"
        ),
        Story(
            testDescription: "paid twice, then given up",
            charges: [[.paid(1), .paid(2, settles: false), .back(2, .pagamentoIndevido), .back(1, .cancelamento)]],
            statuses: ["refunded"], booking: "refunded"
        ),
        Story(
            testDescription: "half of it went back", charges: [[.paid(1), .back(1, cents: 3_000, .cancelamento)]],
            statuses: ["partially_refunded"], booking: "partially_refunded"
        ),
        Story(
            testDescription: "too late, then taken at the desk",
            charges: [[.closed(.prazo), .paid(1), .back(1, .atraso), .paid(99)]], statuses: ["approved"], booking: "approved"
        ),
        Story(
            testDescription: "too late", charges: [[.closed(.prazo), .paid(1), .back(1, .atraso)]], statuses: ["refunded"],
            booking: "refunded"
        ),
        Story(
            testDescription: "another charge that closed unpaid", charges: [[.paid(1)], [.closed(.semObjeto)]],
            statuses: ["approved", "cancelled"], booking: "approved"
        ),
        Story(
            testDescription: "another charge that was paid when it was needed no more",
            charges: [[.paid(1)], [.closed(.semObjeto), .paid(1), .back(1, .atraso)]], statuses: ["approved", "refunded"],
            booking: "approved"
        ),
        Story(
            testDescription: "another charge that went back with a move", charges: [[.paid(1)], [.paid(1), .back(1, .remarcacao)]],
            statuses: ["approved", "refunded"], booking: "partially_refunded"
        ),
        Story(
            testDescription: "another charge that can still be paid", charges: [[.paid(1)], []], statuses: ["approved", "pending"],
            booking: "pending"
        ),
        Story(
            testDescription: "nothing was paid in time", charges: [[.closed(.prazo)], [.closed(.semObjeto)]],
            statuses: ["expired", "cancelled"], booking: "expired"
        ),
    ]

    @Test(arguments: stories)
    func `a charge's status is what the charge is worth, a booking's what its charges come to`(_ story: Story) async throws {
        var log = History()
        try log.signUp(1, name: "Ana")
        try log.createUnit(1)
        try log.createSpace(1, in: 1, Samples.card("Cedro"))
        try log.book(11, by: 1, space: 1, unit: 1, from: 24, to: 26)
        let booking: ReservaID = Samples.id(11)
        var ids: [String] = []
        for (number, steps) in story.charges.enumerated() {
            let cause: CausaDaCobranca = number == 0 ? .reserva(booking) : .diferenca(booking, remarcacao: number)
            ids.append(cause.pagamento.texto)
            for event in try Self.events(of: cause, steps) { try log.record(.pagamento(cause.pagamento), .pagamentos(event)) }
        }
        let (complete, charges) = (log, ids)
        try await TestDatabase.with { database in
            try await complete.project(into: database)
            try await TestGateway.with(pool: database.gateway) { gateway in
                for (charge, status) in zip(charges, story.statuses) {
                    let payment = try await gateway.send(.get, "/payments/\(charge)", as: TestGateway.member).json
                    #expect(payment["status"] == .string(status))
                }
                let listed = try await gateway.send(.get, "/payments", as: TestGateway.member).json.array
                #expect(listed.compactMap { $0["status"].string }.sorted() == story.statuses.sorted())
                let booked = try await gateway.send(.get, "/reservations/\(booking.texto)", as: TestGateway.member).json
                #expect(booked["payment_status"] == .string(story.booking))
            }
        }
    }

    private static func events(of cause: CausaDaCobranca, _ steps: [Step]) throws -> [EventoDePagamentos] {
        let (id, user): (PagamentoID, UsuarioID) = (cause.pagamento, Samples.id(1))
        let price = Dinheiro(centavos: 6_000)
        var events: [EventoDePagamentos] = [
            .cobrancaCriada(
                CobrancaCriada(
                    pagamento: id, causa: cause, usuario: user, valor: price, expiraEm: Samples.time(1), em: Samples.time(0)
                )
            )
        ]
        for (number, step) in steps.enumerated() {
            let time = Samples.time(number + 1)
            switch step {
            case .paid(let attempt, let settles):
                let approved = PagamentoAprovado(
                    pagamento: id, causa: cause, usuario: user, transacao: try transaction(id, attempt),
                    metodo: attempt == TransacaoID.maiorTentativa ? .dinheiro : .pix, valor: price, quita: settles, tardio: false, em: time
                )
                events.append(.pagamentoAprovado(approved))
            case .back(let attempt, let cents, let reason):
                let (refund, payment) = (EstornoID(de: id, number + 1), try transaction(id, attempt))
                let asked = EstornoSolicitado(
                    pagamento: id, causa: cause, usuario: user, estorno: refund, transacao: payment,
                    valor: Dinheiro(centavos: cents), motivo: reason, em: time
                )
                let done = PagamentoEstornado(
                    pagamento: id, causa: cause, usuario: user, estorno: refund, transacao: payment,
                    valor: Dinheiro(centavos: cents), em: time
                )
                events += [.estornoSolicitado(asked), .pagamentoEstornado(done)]
            case .closed(let reason):
                let closed = CobrancaExpirada(pagamento: id, causa: cause, motivo: reason, expiraEm: Samples.time(1), em: time)
                events.append(.cobrancaExpirada(closed))
            }
        }
        return events
    }

    private static func transaction(_ charge: PagamentoID, _ attempt: Int) throws -> TransacaoID {
        guard let transaction = TransacaoID(charge, tentativa: attempt) else { throw Samples.Impossible() }
        return transaction
    }
}
