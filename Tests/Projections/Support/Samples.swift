import Domain

/// Things of the domain, made short.
enum Samples {
    static func id<Marca>(_ number: Int) -> Identificador<Marca> {
        Identificador(alto: 0x0189_0A5D_AC96_7000, baixo: 0x8000_0000_0000_0000 | UInt64(number))
    }

    /// Minutes after noon of 2026-03-02, UTC.
    static func time(_ minutes: Int) -> Instante {
        Instante(segundos: 1_772_452_800 + Int64(minutes) * 60)
    }

    static func interval(_ from: Int, _ to: Int) throws -> Intervalo {
        guard let interval = Intervalo(inicio: time(from), fim: time(to)) else { throw Impossible() }
        return interval
    }

    static func minutes(_ value: Int) throws -> Minutos {
        guard let minutes = Minutos(value) else { throw Impossible() }
        return minutes
    }

    /// A sample that the domain does not admit: a mistake of the test.
    struct Impossible: Error {}

    static func description(
        _ name: String,
        type: TipoDeEspaco = .salaDeReuniao,
        capacity: Int = 8,
        seats: Int = 1,
        amenities: [String] = []
    ) -> FichaDoEspaco {
        FichaDoEspaco(nome: name, tipo: type, capacidade: capacity, lugares: seats, comodidades: amenities, descricao: "")
    }

    static func rules(before: Int = 0, after: Int = 0) throws -> RegrasDeReserva {
        RegrasDeReserva(
            duracaoMinima: .trinta, duracaoMaxima: .umDia, passo: .trinta, bufferAntes: try minutes(before),
            bufferDepois: try minutes(after), antecedenciaMinima: .zero, horizonte: .noventaDias, cancelamento: .padrao,
            retencao: .quinze
        )
    }

    static func schedule(_ interval: Intervalo, occupied: Intervalo? = nil, seats: Int = 1) -> HorarioDaReserva {
        HorarioDaReserva(
            intervalo: interval,
            ocupacao: occupied ?? interval,
            fuso: "America/Sao_Paulo",
            inicioLocal: DataHoraLocal(microssegundos: (interval.inicio - .horas(3)).microssegundos),
            fimLocal: DataHoraLocal(microssegundos: (interval.fim - .horas(3)).microssegundos),
            lugares: seats
        )
    }

    static let appliedRules = RegrasAplicadas(
        versao: VersaoDeRegra(3), bufferAntes: .zero, bufferDepois: .quinze, cancelamento: .padrao
    )

    static func quote(_ cents: Int64, over interval: Intervalo) -> Cotacao {
        let line = LinhaDeTempo(
            dia: interval.inicio.diaUTC, intervalo: interval, lugares: 1, valorHora: Dinheiro(centavos: cents), milesimos: 1000,
            valor: Dinheiro(centavos: cents)
        )
        return Cotacao(
            tarifarioVersao: VersaoDeRegra(1), plano: .basic, planoVersao: VersaoDeRegra(1), linhas: [.tempo(line)],
            total: Dinheiro(centavos: cents)
        )
    }

    static func refund(_ cents: Int64) -> Reembolso {
        Reembolso(
            regrasVersao: VersaoDeRegra(3), antecedencia: .umDia, percentual: .todo, pago: Dinheiro(centavos: cents),
            valor: Dinheiro(centavos: cents), excepcional: false
        )
    }
}

extension TestLog {
    mutating func signUp(
        _ user: Int,
        name: String,
        email: String,
        role: Papel = .membro,
        at minutes: Int = 0
    ) throws {
        let key = ChaveDeEmail(String(repeating: "0a", count: 16))
        guard let key else { throw Samples.Impossible() }
        try record(
            .usuario(Samples.id(user)),
            .usuarios(
                .usuarioCadastrado(
                    UsuarioCadastrado(
                        usuario: Samples.id(user), nome: PlainOpener.seal(name, field: "nome"),
                        email: PlainOpener.seal(email, field: "email"), chaveDoEmail: key, senha: Selado("senha:x"), papel: role,
                        origem: .proprio, em: Samples.time(minutes)
                    )
                )
            )
        )
    }

    mutating func createUnit(_ unit: Int, name: String = "Paulista") throws {
        try record(
            .unidade(Samples.id(unit)),
            .espacos(
                .unidadeCriada(
                    UnidadeCriada(
                        unidade: Samples.id(unit), nome: name, fuso: "America/Sao_Paulo", endereco: "Av. Paulista, 1000",
                        em: Samples.time(0)
                    )
                )
            )
        )
    }

    mutating func createSpace(_ space: Int, in unit: Int, _ description: FichaDoEspaco) throws {
        try record(
            .espaco(Samples.id(space)),
            .espacos(
                .espacoCriado(
                    EspacoCriado(espaco: Samples.id(space), unidade: Samples.id(unit), ficha: description, em: Samples.time(0))
                )
            )
        )
    }

    mutating func occupy(_ space: Int, by booking: Int, _ interval: Intervalo, seats: Int = 1) throws {
        for day in interval.diasUTC {
            try record(
                .agenda(Samples.id(space), day),
                .reservas(
                    .horarioOcupado(
                        HorarioOcupado(
                            espaco: Samples.id(space), dia: day, reserva: Samples.id(booking), intervalo: interval, lugares: seats,
                            em: Samples.time(0)
                        )
                    )
                )
            )
        }
    }

    mutating func free(_ space: Int, of booking: Int, _ interval: Intervalo) throws {
        for day in interval.diasUTC {
            try record(
                .agenda(Samples.id(space), day),
                .reservas(
                    .horarioLiberado(
                        HorarioLiberado(espaco: Samples.id(space), dia: day, reserva: Samples.id(booking), em: Samples.time(0))
                    )
                )
            )
        }
    }

    /// A booking with its agenda days; without `expires` it stands at once.
    mutating func book(
        _ booking: Int,
        user: Int = 1,
        space: Int = 1,
        unit: Int = 1,
        _ interval: Intervalo,
        occupied: Intervalo? = nil,
        seats: Int = 1,
        notes: String? = nil,
        expires: Int? = nil,
        at minutes: Int = 0
    ) throws {
        try record(
            .reserva(Samples.id(booking)),
            .reservas(
                .reservaSolicitada(
                    ReservaSolicitada(
                        reserva: Samples.id(booking), usuario: Samples.id(user), espaco: Samples.id(space), unidade: Samples.id(unit),
                        horario: Samples.schedule(interval, occupied: occupied, seats: seats), regras: Samples.appliedRules,
                        cotacao: Samples.quote(10_000, over: interval), notas: notes.map { PlainOpener.seal($0, field: "notas") },
                        expiraEm: expires.map(Samples.time), criadaPor: Samples.id(user), em: Samples.time(minutes)
                    )
                )
            )
        )
        try occupy(space, by: booking, occupied ?? interval, seats: seats)
    }

    mutating func record(_ booking: Int, _ event: EventoDeReservas) throws {
        try record(.reserva(Samples.id(booking)), .reservas(event))
    }
}
