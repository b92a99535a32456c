import Domain
import EventStore
import FoundationEssentials
import HTTP

/// A series as it is asked for: its first occurrence, and the rule of the others.
struct SeriesInput: Decodable {
    let spaceId: String
    let startTime: String
    let endTime: String
    /// RFC 5545.
    let rrule: String
    let seats: Int?
    let notes: String?
    /// For whom, where that is not the one who asks: operators only.
    let userId: String?
    /// `refuse`, which is usual, or `skip`.
    let onConflict: String?

    func space() throws(Problem) -> EspacoID {
        guard let space = EspacoID(spaceId) else { throw .invalid(field: "space_id", "must be the id of a space") }
        return space
    }

    func user() throws(Problem) -> UsuarioID? {
        guard let userId else { return nil }
        guard let user = UsuarioID(userId) else { throw .invalid(field: "user_id", "must be the id of a user") }
        return user
    }

    /// The command, with the ids that its occurrences have whenever it is given.
    func command(
        _ series: SerieID,
        for owner: UsuarioID,
        by actor: Ator,
        notes: Selado?,
        in zone: ZonaHoraria,
        at now: Instante
    ) throws -> CriarSerie {
        let rule = try RegraDeRecorrencia(rrule)
        let (start, duration) = try SpanInput.read(startTime, endTime, in: zone)
        return CriarSerie(
            serie: series,
            usuario: owner,
            ator: actor,
            regra: rule,
            duracao: duration,
            lugares: seats ?? 1,
            notas: notes,
            aoConflitar: try SpanInput.conflict(onConflict),
            ocorrencias: try rule.ocorrencias(de: start, zona: zone).map { local in
                OcorrenciaDaSerie(reserva: .occurrence(of: series, at: local), original: local, inicio: local)
            },
            agora: now
        )
    }
}

/// How occurrences of a series are to change.
struct SeriesChangeInput: Decodable {
    /// `this`, `following` or `all`.
    let scope: String
    /// The occurrence that is named.
    let reservationId: String
    /// When that occurrence is to be; the others move by as much.
    let startTime: String
    let endTime: String
    let onConflict: String?

    func booking() throws(Problem) -> ReservaID {
        guard let booking = ReservaID(reservationId) else { throw .invalid(field: "reservation_id", "must be the id of a booking") }
        return booking
    }
}

/// Which occurrences of a series are to be given up.
struct SeriesCancellationInput: Decodable {
    let scope: String?
    /// The occurrence that is named; not needed for all.
    let reservationId: String?
    let reason: String?

    func booking() throws(Problem) -> ReservaID? {
        guard let reservationId else { return nil }
        guard let booking = ReservaID(reservationId) else { throw .invalid(field: "reservation_id", "must be the id of a booking") }
        return booking
    }
}

enum SpanInput {
    /// The beginning on the wall clock of a zone, and how long it really is to the end.
    static func read(_ start: String, _ end: String, in zone: ZonaHoraria) throws -> (start: DataHoraLocal, duration: Minutos) {
        let from = try TimeInput.instant(start, field: "start_time", zone: zone)
        let to = try TimeInput.instant(end, field: "end_time", zone: zone)
        guard from < to else { throw RecusaDeReservas.fimAntesDoInicio }
        let length = to - from
        guard length <= RegrasDeReserva.maiorDuracao.duracao else { throw RecusaDeReservas.duracaoMaxima(RegrasDeReserva.maiorDuracao) }
        let minutes = Minutos(completosEm: length)
        guard minutes.duracao == length else { throw Problem.invalid(field: "end_time", "must be whole minutes after start_time") }
        return (zone.local(de: from), minutes)
    }

    static func conflict(_ text: String?) throws(Problem) -> ConflitoNaSerie {
        switch text {
        case nil, "refuse": .recusar
        case "skip": .pular
        default: throw .invalid(field: "on_conflict", "must be skip or refuse")
        }
    }

    static func scope(_ text: String) throws(Problem) -> AlcanceDaSerie {
        switch text {
        case "this": .esta
        case "following": .seguintes
        case "all": .todas
        default: throw .invalid(field: "scope", "must be this, following or all")
        }
    }
}

extension ReservaID {
    /// The id of the booking of an occurrence: the same whenever and by whomever it is made (RFC 9562, version 5).
    static func occurrence(of series: SerieID, at original: DataHoraLocal) -> ReservaID {
        // The text of an id is always one.
        let namespace = UUID(uuidString: series.texto) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return ReservaID(UUID.v5(namespace: namespace, name: original.texto.utf8))
    }
}
