import Domain
import EventStore
import FoundationEssentials
import Postgres
import Projections

/// What happened, for read models to be made of.
struct History {
    private(set) var events: [RecordedEvent] = []
    private var versions: [String: Int32] = [:]

    mutating func record(_ stream: NomeDeFluxo, _ event: EventoDoDominio, by principal: String = "tester") throws {
        let encoded = try CodecDeEventos.padrao.codificar(event)
        versions[stream.texto, default: 0] += 1
        let position = Int64(events.count + 1)
        events.append(
            RecordedEvent(
                position: Position(position),
                id: UUID(),
                stream: stream.texto,
                version: StreamVersion(versions[stream.texto] ?? 1),
                type: encoded.tipo,
                schemaVersion: Int16(encoded.versaoDoEsquema),
                recordedAt: TestClock.start + position,
                commandID: UUID(),
                payload: encoded.carga,
                metadata: Array(#"{"principal":"\#(principal)"}"#.utf8)
            )
        )
    }

    var head: Position { events.last?.position ?? .start }

    /// Writes it where the recorder would: the events after what the database's log holds already.
    func write(to pool: PostgresPool) async throws {
        let known = try await LogReader(pool: pool).head()
        let (events, head) = (events.filter { $0.position > known }, head)
        try await pool.transaction { connection in
            for event in events {
                try connection.execute(
                    """
                    insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                                            command_id, payload, metadata, hash)
                    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, decode(repeat('00', 32), 'hex'))
                    """,
                    event.position.rawValue,
                    event.id,
                    event.stream,
                    event.version.rawValue,
                    event.context,
                    event.type,
                    event.schemaVersion,
                    PostgresTimestamp(microsecondsSinceEpoch: event.recordedAt),
                    event.commandID,
                    event.payload,
                    event.metadata
                )
            }
            try connection.execute("update log.writer set head = $1", head.rawValue)
        }
    }

    /// Brings every read model to its end.
    func project(into database: TestDatabase) async throws {
        for model in Projections.models {
            let target = ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            guard let position = try await target.acquire() else { throw Samples.Impossible() }
            try await target.apply(events.filter { $0.position > position }, after: position, through: head)
            try await target.release()
        }
    }
}

/// Stands in for the keyring: a sealed text is what it says.
struct PlainOpener: SealOpener {
    func openOrErased(_ sealed: Selado, field: String) async throws -> String {
        sealed.texto
    }
}

extension History {
    mutating func signUp(_ number: Int, name: String, role: Papel = .membro) throws {
        guard let key = ChaveDeEmail(String(repeating: "0a", count: 16)) else { throw Samples.Impossible() }
        let user: UsuarioID = Samples.id(number)
        try record(
            .usuario(user),
            .usuarios(
                .usuarioCadastrado(
                    UsuarioCadastrado(
                        usuario: user,
                        nome: Selado(name),
                        email: Selado("\(name.lowercased())@example.com"),
                        chaveDoEmail: key,
                        senha: Selado("x"),
                        papel: role,
                        origem: .proprio,
                        em: Samples.time(0)
                    )
                )
            )
        )
    }

    mutating func openSession(of number: Int) throws {
        let session: SessaoID = Samples.id(number)
        let event = LoginRealizado(sessao: session, usuario: Samples.id(number), em: Samples.time(0))
        try record(.sessao(session), .usuarios(.loginRealizado(event)))
    }

    mutating func revokeSession(of number: Int) throws {
        let session: SessaoID = Samples.id(number)
        let event = SessaoRevogada(sessao: session, usuario: Samples.id(number), motivo: .saida, em: Samples.time(0))
        try record(.sessao(session), .usuarios(.sessaoRevogada(event)))
    }

    mutating func block(_ number: Int) throws {
        let user: UsuarioID = Samples.id(number)
        try record(.usuario(user), .usuarios(.usuarioBloqueado(UsuarioBloqueado(usuario: user, em: Samples.time(0)))))
    }

    mutating func promote(_ number: Int, to role: Papel, in units: [UnidadeID]? = nil) throws {
        let user: UsuarioID = Samples.id(number)
        let event = PapelAlterado(usuario: user, de: .membro, para: role, unidades: units, em: Samples.time(0))
        try record(.usuario(user), .usuarios(.papelAlterado(event)))
    }

    mutating func createUnit(_ number: Int, zone: String = "America/Sao_Paulo") throws {
        let unit: UnidadeID = Samples.id(number)
        let event = UnidadeCriada(unidade: unit, nome: "Unidade \(number)", fuso: zone, endereco: "Rua \(number)", em: Samples.time(0))
        try record(.unidade(unit), .espacos(.unidadeCriada(event)))
    }

    /// Open from 08:00 to 20:00 every day.
    mutating func createSpace(_ number: Int, in unit: Int, _ card: FichaDoEspaco) throws {
        let space: EspacoID = Samples.id(number)
        guard let opens = HoraLocal("08:00"), let closes = HoraLocal("20:00"), let range = FaixaHoraria(abre: opens, fecha: closes),
            let week = HorarioSemanal(Dictionary(uniqueKeysWithValues: DiaDaSemana.allCases.map { ($0, [range]) }))
        else { throw Samples.Impossible() }
        let created = EspacoCriado(espaco: space, unidade: Samples.id(unit), ficha: card, em: Samples.time(0))
        try record(.espaco(space), .espacos(.espacoCriado(created)))
        let hours = HorarioDefinido(espaco: space, semana: week, fechaEmFeriados: false, em: Samples.time(0))
        try record(.espaco(space), .espacos(.horarioDefinido(hours)))
    }

    mutating func deactivateSpace(_ number: Int) throws {
        let space: EspacoID = Samples.id(number)
        try record(.espaco(space), .espacos(.espacoDesativado(EspacoDesativado(espaco: space, em: Samples.time(0)))))
    }

    mutating func publishTariff(of unit: Int, hourlyCents: Int64) throws {
        let unit: UnidadeID = Samples.id(unit)
        let event = TarifarioPublicado(
            unidade: unit,
            versao: VersaoDeRegra(1),
            vigenteDesde: Samples.time(0).diaUTC,
            tarifas: [Tarifa(alvo: .tipo(.salaDeReuniao), valorHora: Dinheiro(centavos: hourlyCents))],
            multiplicadores: [],
            em: Samples.time(0)
        )
        try record(.tarifario(unit), .precos(.tarifarioPublicado(event)))
    }

    /// A confirmed booking with its agenda days.
    mutating func book(_ number: Int, by user: Int, space: Int, unit: Int, from: Int, to: Int) throws {
        let booking: ReservaID = Samples.id(number)
        let interval = try Samples.interval(from, to)
        let requested = ReservaSolicitada(
            reserva: booking,
            usuario: Samples.id(user),
            espaco: Samples.id(space),
            unidade: Samples.id(unit),
            horario: HorarioDaReserva(
                intervalo: interval,
                ocupacao: interval,
                fuso: "America/Sao_Paulo",
                inicioLocal: DataHoraLocal(microssegundos: (interval.inicio - .horas(3)).microssegundos),
                fimLocal: DataHoraLocal(microssegundos: (interval.fim - .horas(3)).microssegundos),
                lugares: 1
            ),
            regras: RegrasAplicadas(versao: VersaoDeRegra(1), bufferAntes: .zero, bufferDepois: .zero, cancelamento: .padrao),
            cotacao: Samples.quote(8_050, over: interval),
            expiraEm: nil,
            criadaPor: Samples.id(user),
            em: Samples.time(number - 100)
        )
        try record(.reserva(booking), .reservas(.reservaSolicitada(requested)))
        for day in interval.diasUTC {
            let taken = HorarioOcupado(
                espaco: Samples.id(space),
                dia: day,
                reserva: booking,
                intervalo: interval,
                lugares: 1,
                em: Samples.time(0)
            )
            try record(.agenda(Samples.id(space), day), .reservas(.horarioOcupado(taken)))
        }
    }
}
