package import Domain
package import Postgres

/// What is asked of analytics. Who may ask is for the caller to know.
package struct AnalyticsQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["analytics"]

    let pool: PostgresPool
    let schema: String
    private let zone: @Sendable (String) throws -> ZonaHoraria

    /// - Parameters:
    ///   - pool: connections of a role that may read the schema.
    ///   - schema: where the read model lies: the live one, or one that was built up to an earlier position.
    ///   - zone: the rules of a zone by its name, from the system.
    package init(pool: PostgresPool, schema: String = "read", zone: @escaping @Sendable (String) throws -> ZonaHoraria) {
        self.pool = pool
        self.schema = schema
        self.zone = zone
    }

    /// Every figure of a range, all seen at one instant.
    ///
    /// - Parameter clock: by whose days accounts are counted, which belong to no unit.
    package func figures(_ range: AnalyticsRange, clock: ZonaHoraria) async throws -> AnalyticsFigures {
        let seen = try await pool.transaction(isolation: .repeatableRead, readOnly: true) { connection in
            try read(range, clock: clock, on: connection)
        }
        var figures = seen.figures
        for space in seen.catalogue.spaces.values where range.wants(space) {
            figures.names[space.id] = space.name
            if let unit = seen.catalogue.units[space.unit] {
                figures.unitNames[space.unit] = unit.name
                try figures.available.add(space, in: unit, during: range, zone: zone)
            }
        }
        return figures
    }

    private func read(
        _ range: AnalyticsRange,
        clock: ZonaHoraria,
        on connection: isolated PostgresConnection
    ) throws -> (figures: AnalyticsFigures, catalogue: CatalogueHistory) {
        var figures = AnalyticsFigures()
        try figures.take(bookings: connection.query(bookings(range)))
        try figures.take(occupied: connection.query(occupied(range)))
        try figures.take(hours: connection.query(hours(range)))
        try figures.take(open: connection.query(open(range)))
        try figures.take(registrations: connection.query(registrations(range, clock: clock)), range)
        if let members = try connection.query(members(range)).first {
            figures.activeMembers = try members.get(0)
            figures.newMembers = try members.get(1)
        }
        figures.activeMembersBefore = try connection.query(members(range.before)).first?.get(0) ?? 0
        for row in try connection.query(totals(range.before)) { try figures.before.take(bookings: row) }
        figures.accounts = try connection.query("select count(*) from \(schema).analytics_accounts").first?.get(0) ?? 0
        let catalogue = try connection.query(
            "select at, type, schema_version, payload from \(schema).analytics_catalogue order by position"
        )
        return (figures, try CatalogueHistory(rows: catalogue))
    }

    /// Of bookings by the date on which they begin, by space, and of all.
    func bookings(_ range: AnalyticsRange) -> PostgresStatement {
        let (condition, parameters) = condition(range)
        return PostgresStatement(
            """
            select day, space_id, unit_id, \(Self.counts)
              from \(schema).analytics_bookings
             where \(condition)
             group by grouping sets ((day), (space_id), (unit_id), ())
            """,
            parameters: parameters
        )
    }

    /// Of all bookings that begin in the range, in one row.
    func totals(_ range: AnalyticsRange) -> PostgresStatement {
        let (condition, parameters) = condition(range)
        return PostgresStatement("select \(Self.counts) from \(schema).analytics_bookings where \(condition)", parameters: parameters)
    }

    private static let counts = """
        count(*) filter (where status = 'pending') as pending,
        count(*) filter (where status = 'active') as active,
        count(*) filter (where status = 'completed') as completed,
        count(*) filter (where status = 'cancelled') as cancelled,
        count(*) filter (where status = 'expired') as expired,
        count(*) filter (where status = 'no_show') as no_shows,
        count(*) filter (where attended) as attended,
        coalesce(sum(price_cents - refund_cents) filter (where \(stands) or status = 'no_show'), 0)::bigint as booked_cents,
        coalesce(sum(extract(epoch from ends_at - starts_at)) filter (where \(stands)), 0)::bigint as session_seconds,
        coalesce(sum(extract(epoch from starts_at - requested_at)) filter (where \(stands)), 0)::bigint as lead_seconds
        """

    /// Time taken up, by date, by space, and of all.
    func occupied(_ range: AnalyticsRange) -> PostgresStatement {
        let (stretches, parameters) = stretches(range)
        return PostgresStatement(
            """
            select day, space_id, unit_id, coalesce(sum((to_second - from_second)::bigint * seats), 0)::bigint as seconds
              from (\(stretches)) as stretches
             group by grouping sets ((day), (space_id), (unit_id), ())
            """,
            parameters: parameters
        )
    }

    /// Time taken up by hour of the week. Stretches alike are put together before they are cut into hours: there are not many that
    /// are not.
    func hours(_ range: AnalyticsRange) -> PostgresStatement {
        let (stretches, parameters) = stretches(range)
        return PostgresStatement(
            """
            select weekday, hour,
                   sum((least(to_second, (hour + 1) * 3600) - greatest(from_second, hour * 3600)) * seats)::bigint as seconds
              from (select extract(isodow from day)::integer as weekday, from_second, to_second, sum(seats) as seats
                      from (\(stretches)) as stretches
                     group by 1, 2, 3) as alike
             cross join lateral generate_series(from_second / 3600, (to_second - 1) / 3600) as hour
             group by weekday, hour
            """,
            parameters: parameters
        )
    }

    /// How many members have a booking that begins in the range and stands, and how many of them had none, anywhere, before.
    func members(_ range: AnalyticsRange) -> PostgresStatement {
        let (condition, parameters) = condition(range)
        return PostgresStatement(
            """
            select count(*) as active,
                   count(*) filter (where not exists (
                       select from \(schema).analytics_bookings e where e.user_id = m.user_id and e.day < $1 and e.\(Self.stands))) as new
              from (select distinct user_id from \(schema).analytics_bookings where \(condition) and \(Self.stands)) as m
            """,
            parameters: parameters
        )
    }

    func open(_ range: AnalyticsRange) -> PostgresStatement {
        PostgresStatement(
            """
            select status, count(*) as count
              from \(schema).analytics_open
             where ($1::uuid is null or space_id = $1) and ($2::uuid is null or unit_id = $2)
             group by status
            """,
            range.space?.uuid,
            range.unit?.uuid
        )
    }

    /// How many accounts were registered on each day of the range, by its place. The days' borders come from the zone rules of this
    /// program, not from the server's.
    func registrations(_ range: AnalyticsRange, clock: ZonaHoraria) -> PostgresStatement {
        let days = range.days
        let borders = (days + [range.to.somandoDias(1)]).map { PostgresTimestamp(clock.inicioDoDia($0)) }
        return PostgresStatement(
            """
            select width_bucket(registered_at, $1) as place, count(*) as count
              from \(schema).analytics_accounts
             where registered_at >= $2 and registered_at < $3
             group by place
            """,
            PostgresArray(borders),
            borders[0],
            borders[days.count]
        )
    }

    private static let stands = "status in ('active', 'completed')"

    private func condition(_ range: AnalyticsRange) -> (String, [any PostgresEncodable]) {
        var condition = "day between $1 and $2"
        var parameters: [any PostgresEncodable] = [PostgresDate(range.from), PostgresDate(range.to)]
        if let space = range.space {
            parameters.append(space.uuid)
            condition += " and space_id = $\(parameters.count)"
        }
        if let unit = range.unit {
            parameters.append(unit.uuid)
            condition += " and unit_id = $\(parameters.count)"
        }
        return (condition, parameters)
    }

    /// The stretches of bookings that stand: the first of each from its own row, the others from their table.
    private func stretches(_ range: AnalyticsRange) -> (String, [any PostgresEncodable]) {
        let (condition, parameters) = condition(range)
        // No booking is longer than the domain allows: this says nothing new, but an index knows it.
        let longest = RegrasDeReserva.maiorDuracao.valor / 1440 + 1
        return (
            """
            select day, space_id, unit_id, from_second, to_second, seats
              from \(schema).analytics_bookings
             where \(condition) and \(Self.stands)
            union all
            select day, space_id, unit_id, from_second, to_second, seats
              from (select s.day, b.space_id, b.unit_id, s.from_second, s.to_second, b.seats, b.status
                      from \(schema).analytics_stretches s
                      join \(schema).analytics_bookings b on b.id = s.booking_id
                     where b.day between $1 - \(longest) and $2) as further
             where \(condition) and \(Self.stands)
            """,
            parameters
        )
    }
}

extension AnalyticsFigures {
    fileprivate mutating func take(bookings rows: PostgresRows) throws {
        for row in rows { try change(of: row) { try $0.take(bookings: row) } }
    }

    fileprivate mutating func take(occupied rows: PostgresRows) throws {
        for row in rows {
            let seconds = try row.get("seconds", Int64.self)
            try change(of: row) { $0.occupiedSeconds = seconds }
        }
    }

    fileprivate mutating func take(hours rows: PostgresRows) throws {
        for row in rows {
            let hour = HourOfWeek(weekday: Int(try row.get("weekday", Int32.self)), hour: Int(try row.get("hour", Int32.self)))
            hours[hour] = try row.get("seconds")
        }
    }

    fileprivate mutating func take(open rows: PostgresRows) throws {
        for row in rows {
            switch try row.parsed("status", { BookingStatus(rawValue: $0) }) as BookingStatus {
            case .pending: pendingNow = try row.get("count")
            case .active: activeNow = try row.get("count")
            case .completed, .cancelled, .expired, .noShow: break
            }
        }
    }

    fileprivate mutating func take(registrations rows: PostgresRows, _ range: AnalyticsRange) throws {
        for row in rows {
            newAccounts[range.from.somandoDias(Int(try row.get("place", Int32.self)) - 1)] = try row.get("count")
        }
    }

    /// What a row of grouping sets is about: a date, a space, a unit, or all.
    private mutating func change(of row: PostgresRow, _ change: (inout BookingFigures) throws -> Void) throws {
        if let day = try row.get("day", PostgresDate?.self) {
            try change(&days[DataCivil(diasDesde1970: Int64(day.daysSinceEpoch)), default: BookingFigures()])
        } else if let space: EspacoID = try row.id("space_id") {
            try change(&spaces[space, default: BookingFigures()])
        } else if let unit: UnidadeID = try row.id("unit_id") {
            try change(&units[unit, default: BookingFigures()])
        } else {
            try change(&total)
        }
    }
}

extension AnalyticsRange {
    fileprivate func wants(_ other: CatalogueHistory.Space) -> Bool {
        space.map { $0 == other.id } ?? true && unit.map { $0 == other.unit } ?? true
    }
}

extension PostgresConnection {
    fileprivate func query(_ statement: PostgresStatement) throws -> PostgresRows {
        try query(statement.sql, parameters: statement.parameters)
    }
}
