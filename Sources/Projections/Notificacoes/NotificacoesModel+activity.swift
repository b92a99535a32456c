import Domain
import EventStore
import Postgres

/// What somebody may watch for, a line an event.
extension NotificacoesModel {
    func apply(_ change: EventoDePagamentos, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .cobrancaCriada(let change):
            try concern(.id(change.pagamento), change.usuario, space: nil, unit: change.unidade, in: &changes)
            try note("payment.created", of: change.pagamento, for: change.causa, event, in: &changes)
        case .pagamentoAprovado(let change):
            // What does not pay the charge goes back at once, and is told of when it has.
            if change.quita { try note("payment.paid", of: change.pagamento, for: change.causa, event, in: &changes) }
        case .pagamentoRecusado(let change): try note("payment.refused", of: change.pagamento, for: change.causa, event, in: &changes)
        case .cobrancaExpirada(let change):
            let type = change.motivo == .prazo ? "payment.expired" : "payment.cancelled"
            try note(type, of: change.pagamento, for: change.causa, event, in: &changes)
        case .pagamentoEstornado(let change): try note("payment.refunded", of: change.pagamento, for: change.causa, event, in: &changes)
        case .cobrancaAlterada, .pixGerado, .tentativaRespondida, .estornoSolicitado, .estornoRecusado: break
        }
    }

    func apply(_ change: EventoDeCheckin, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .checkinRealizado(let change): try note("reservation.checked_in", of: change.reserva, event, in: &changes)
        case .checkoutRealizado(let change): try note("reservation.checked_out", of: change.reserva, event, in: &changes)
        case .excedenteApurado(let change): try note("reservation.overtime", of: change.reserva, event, in: &changes)
        // That nobody came is told of by what became of the booking, in the same append.
        case .naoComparecimentoRegistrado, .painelAutorizado, .painelRevogado: break
        }
    }

    func applyWaitlist(_ change: EventoDeReservas, of event: ProjectedEvent, to changes: inout Changes) throws {
        func note(_ type: String, _ entry: EsperaID, _ user: UsuarioID, _ booking: ReservaID? = nil) throws {
            try self.note(type, about: .id(entry), booking: booking, of: user, event, in: &changes)
        }
        switch change {
        case .esperaInscrita(let change):
            try concern(.id(change.inscricao), change.usuario, space: change.espaco, unit: change.unidade, in: &changes)
            try note("waitlist.joined", change.inscricao, change.usuario)
        case .esperaOferecida(let change): try note("waitlist.offered", change.inscricao, change.usuario, change.reserva)
        case .esperaAtendida(let change): try note("waitlist.booked", change.inscricao, change.usuario, change.reserva)
        case .esperaVencida(let change): try note("waitlist.expired", change.inscricao, change.usuario, change.reserva)
        case .esperaRetirada(let change): try note("waitlist.withdrawn", change.inscricao, change.usuario)
        case .reservaSolicitada, .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaCancelada, .reservaConcluida,
            .reservaRetomada, .reservaNaoComparecida, .reservaAprovada, .convidadosDefinidos, .horarioOcupado, .horarioLiberado,
            .serieCriada, .serieAlterada, .serieEncerrada:
            break
        }
    }

    func note(_ type: String, of booking: ReservaID, _ event: ProjectedEvent, in changes: inout Changes) throws {
        try note(type, about: .id(booking), booking: booking, event, in: &changes)
    }

    private func note(
        _ type: String,
        of payment: PagamentoID,
        for cause: CausaDaCobranca,
        _ event: ProjectedEvent,
        in changes: inout Changes
    ) throws {
        try note(type, about: .id(payment), booking: cause.reserva, event, in: &changes)
    }

    func note(
        _ type: String,
        about subject: PostgresValue,
        booking: ReservaID? = nil,
        of user: UsuarioID? = nil,
        _ event: ProjectedEvent,
        in changes: inout Changes
    ) throws {
        try changes.upsert(
            Self.activity,
            [
                "position": .int8(event.position.rawValue), "at": Self.time(event), "type": .text(type), "subject": subject,
                "booking_id": booking.map { .id($0) } ?? .null(.uuid), "user_id": user.map { .id($0) } ?? .null(.uuid),
            ]
        )
    }

    private func concern(
        _ subject: PostgresValue,
        _ user: UsuarioID,
        space: EspacoID?,
        unit: UnidadeID?,
        in changes: inout Changes
    ) throws {
        try changes.upsert(
            Self.subjects,
            [
                "id": subject, "user_id": .id(user), "space_id": space.map { .id($0) } ?? .null(.uuid),
                "unit_id": unit.map { .id($0) } ?? .null(.uuid),
            ]
        )
    }
}
