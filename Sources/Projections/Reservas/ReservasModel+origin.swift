import Domain
import EventStore
import Postgres

/// How bookings came about, and who comes along.
extension ReservasModel {
    /// Whoever comes along, a row each.
    static let guests = Table(
        "reservas_guests",
        columns: [
            Column("booking_id", .uuid), Column("number", .integer), Column("user_id", .uuid), Column("name", .text),
            Column("email", .text, nullable: true),
        ],
        key: ["booking_id", "number"],
        indexes: ["(user_id)"]
    )

    static func sealedTexts(in origin: OrigemDaReserva?) -> [SealedText] {
        guard let origin else { return [] }
        let reason = origin.dispensa.map { [SealedText($0, field: "dispensa")] } ?? []
        return reason + (origin.visitante.map(sealedTexts) ?? [])
    }

    static func sealedTexts(of guest: Convidado) -> [SealedText] {
        [SealedText(guest.nome, field: "convidado")] + (guest.email.map { [SealedText($0, field: "convidado")] } ?? [])
    }

    static func columns(ofOriginOf change: ReservaSolicitada, _ event: ProjectedEvent) throws -> [String: PostgresValue] {
        let origin = change.origem
        return [
            "series_id": origin?.serie.map { .id($0) } ?? .null(.uuid), "waitlist_id": origin?.espera.map { .id($0) } ?? .null(.uuid),
            "approval_until": .instant(change.aprovacaoAte), "due_cents": .null(.int8),
            "agreed_payment": .text(origin?.pagamento?.rawValue),
            "override_reason": .text(try origin?.dispensa.map(event.text(of:))),
            "visitor_name": .text(try origin?.visitante.map { try event.text(of: $0.nome) }),
            "visitor_email": .text(try origin?.visitante?.email.map(event.text(of:))),
        ]
    }

    func apply(_ change: ConvidadosDefinidos, of event: ProjectedEvent, to changes: inout Changes) throws {
        for (number, guest) in change.convidados.enumerated() {
            try changes.upsert(
                Self.guests,
                [
                    "booking_id": .id(change.reserva), "number": .int4(Int32(clamping: number)), "user_id": .id(change.usuario),
                    "name": .text(try event.text(of: guest.nome)), "email": .text(try guest.email.map(event.text(of:))),
                ]
            )
        }
        for number in change.convidados.count..<max(change.convidados.count, ConvidadosDefinidos.maximo) {
            try changes.delete(Self.guests, key: ["booking_id": .id(change.reserva), "number": .int4(Int32(clamping: number))])
        }
    }

    func scrubGuests(of user: UsuarioID, in changes: inout Changes) throws {
        for column in ["name", "email"] {
            try changes.sweep(
                Self.guests,
                where: "user_id",
                is: .id(user),
                having: .present(column),
                set: [column: .text(Keyring.erasedText)]
            )
        }
    }
}
