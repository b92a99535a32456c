package import Domain

extension StreamLoader {
    /// A member's plan and credits, and a coupon; both guard the decision.
    package func benefits(of user: UsuarioID, coupon: CodigoDoCupom?) async throws -> BeneficiosDoMembro {
        let streams = try await load([.assinatura(user)] + (coupon.map { [.cupom($0)] } ?? []))
        return BeneficiosDoMembro(
            usuario: user,
            assinatura: .dobrar(streams[.assinatura(user)] ?? []),
            codigo: coupon,
            cupom: coupon.map { .dobrar(streams[.cupom($0)] ?? []) } ?? .inicial
        )
    }

    /// What a booking drew on, for who gives it back or takes it again. Loads nothing for one that is paid for with money alone.
    package func benefits(of booking: DadosDaReserva) async throws -> BeneficiosDoMembro {
        if booking.fluxosDosBeneficios.isEmpty { return .nenhum }
        return try await benefits(of: booking.usuario, coupon: booking.cotacao.cupom)
    }
}
