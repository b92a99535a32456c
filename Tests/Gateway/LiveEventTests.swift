import Domain
import HTTP
import Postgres
import Projections
import Testing

@testable import Gateway

@Suite struct LiveEventTests {
    @Test func `members are told of their own, the desk of the floor, and nobody of somebody else's payments`() async throws {
        var log = History()
        let interval = try Samples.interval(24, 26)
        let (member, space): (UsuarioID, EspacoID) = (Samples.id(1), Samples.id(1))
        try log.book(11, by: 1, space: 1, unit: 1, from: 24, to: 26)
        let cause = CausaDaCobranca.reserva(Samples.id(11))
        let charge = CobrancaCriada(
            pagamento: cause.pagamento, causa: cause, usuario: member, unidade: Samples.id(1), valor: Dinheiro(centavos: 8_050),
            expiraEm: Samples.time(1), em: Samples.time(0)
        )
        try log.record(.pagamento(cause.pagamento), .pagamentos(.cobrancaCriada(charge)))
        let arrival = CheckinRealizado(
            reserva: Samples.id(11), usuario: member, espaco: space, unidade: Samples.id(1), intervalo: interval, por: member,
            meio: .membro, encerraEm: interval.fim, em: interval.inicio
        )
        try log.record(.presenca(Samples.id(11)), .checkin(.checkinRealizado(arrival)))
        let day = interval.inicio.diaUTC
        let joined = EsperaInscrita(
            inscricao: Samples.id(21), usuario: Samples.id(2), espaco: space, unidade: Samples.id(1), dia: day, fuso: "America/Sao_Paulo",
            intervalo: interval, lugares: 1, em: Samples.time(0)
        )
        try log.record(.espera(space, day), .reservas(.esperaInscrita(joined)))
        let complete = log
        try await TestDatabase.with { database in
            try await complete.project(into: database)
            let live = LiveEvents(queries: NotificacoesQueries(pool: database.gateway), logger: TestDatabase.logger)
            for (identity, types) in [
                (TestGateway.member, ["reservation.requested", "payment.created", "reservation.checked_in"]),
                (TestGateway.otherMember, ["waitlist.joined"]),
                (TestGateway.receptionist, ["reservation.requested", "reservation.checked_in", "waitlist.joined"]),
            ] {
                let events = try await live.past(after: 0, for: identity).events
                #expect(events.map(\.type) == types)
            }
            // A charge says which booking it is for, a place in a line where it is
            let own = try await live.past(after: 0, for: TestGateway.member).events
            #expect(own[1].data.contains("\"reservation_id\":\"\((Samples.id(11) as ReservaID).texto)\""))
            let waiting = try await live.past(after: 0, for: TestGateway.otherMember).events
            #expect(waiting[0].data.contains("\"space_id\":\"\(space.texto)\""))
            #expect(!waiting[0].data.contains("reservation_id"))
        }
    }
}
