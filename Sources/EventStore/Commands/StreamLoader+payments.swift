package import Domain

extension StreamLoader {
    /// What was paid for a booking, less what went back or is on its way back. Its charges guard the decision.
    package func paid(for booking: Reserva) async throws -> Dinheiro {
        try booking.dados?.pago(try await charges(of: booking)) ?? .zero
    }

    /// The charges of several bookings, each as `charges(of:)` gives them.
    package func charges(of bookings: [ReservaID: Reserva]) async throws -> [ReservaID: [Pagamento]] {
        let streams = try await load(bookings.values.flatMap { $0.dados?.pagamentos ?? [] }.map(NomeDeFluxo.pagamento))
        return bookings.mapValues { booking in
            (booking.dados?.pagamentos ?? []).map { .dobrar(streams[.pagamento($0)] ?? []) }
        }
    }

    /// Whether somebody came to each of several bookings.
    package func presences(at bookings: [ReservaID]) async throws -> [ReservaID: Presenca] {
        let streams = try await load(bookings.map(NomeDeFluxo.presenca))
        return Dictionary(uniqueKeysWithValues: bookings.map { ($0, .dobrar(streams[.presenca($0)] ?? [])) })
    }

    /// The charges of a booking, in the order of `DadosDaReserva.cobrancas`.
    package func charges(of booking: Reserva) async throws -> [Pagamento] {
        let names = (booking.dados?.pagamentos ?? []).map(NomeDeFluxo.pagamento)
        let streams = try await load(names)
        return names.map { .dobrar(streams[$0] ?? []) }
    }
}
