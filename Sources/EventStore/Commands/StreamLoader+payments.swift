package import Domain

extension StreamLoader {
    /// What was paid for a booking, less what went back or is on its way back. Its charges guard the decision.
    package func paid(for booking: Reserva) async throws -> Dinheiro {
        try booking.dados?.pago(try await charges(of: booking)) ?? .zero
    }

    /// The charges of a booking, in the order of `DadosDaReserva.cobrancas`.
    package func charges(of booking: Reserva) async throws -> [Pagamento] {
        let names = (booking.dados?.pagamentos ?? []).map(NomeDeFluxo.pagamento)
        let streams = try await load(names)
        return names.map { .dobrar(streams[$0] ?? []) }
    }
}
