package import Domain

extension StreamLoader {
    /// What was paid for a booking, less what went back or is on its way back. Its charges guard the decision.
    package func paid(for booking: Reserva) async throws -> Dinheiro {
        guard let data = booking.dados else { return .zero }
        let names = data.pagamentos.map(NomeDeFluxo.pagamento)
        let streams = try await load(names)
        return try Dinheiro.somar(names.map { Pagamento.dobrar(streams[$0] ?? []).pago })
    }
}
