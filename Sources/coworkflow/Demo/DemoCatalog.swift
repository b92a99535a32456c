import Domain

/// A plan as shipped.
struct DemoPlan: Sendable {
    let id: PlanoID
    let name: String
    let discount: Int
    let monthlyCents: Int64
    /// Granted each month.
    let includedMinutes: Minutos

    static let all = [
        DemoPlan(id: .basic, name: "Basic", discount: 0, monthlyCents: 0, includedMinutes: .zero),
        DemoPlan(id: .premium, name: "Premium", discount: 10, monthlyCents: 19_900, includedMinutes: Minutos(480) ?? .zero),
        DemoPlan(id: .enterprise, name: "Enterprise", discount: 20, monthlyCents: 59_900, includedMinutes: Minutos(1_800) ?? .zero),
    ]
}

/// A space of the demo data.
struct DemoSpace: Sendable {
    let card: FichaDoEspaco
    let hours: HorarioSemanal
    let rules: RegrasDeReserva

    init(
        _ name: String,
        _ type: TipoDeEspaco,
        people: Int,
        seats: Int = 1,
        _ amenities: [String],
        _ description: String,
        hours: HorarioSemanal,
        rules: RegrasDeReserva = .padrao
    ) {
        card = FichaDoEspaco(
            nome: name,
            tipo: type,
            capacidade: people,
            lugares: seats,
            comodidades: amenities,
            descricao: description
        )
        self.hours = hours
        self.rules = rules
    }
}

/// A unit of the demo data.
struct DemoUnit: Sendable {
    let name: String
    let zone: String
    let address: String
    let hourlyCents: [TipoDeEspaco: Int64]
    let spaces: [DemoSpace]

    static let peak = FaixaHoraria(abre: hour(9), fecha: hour(18)).map {
        Multiplicador(nome: "horário de pico", dias: weekdays, faixa: $0, milesimos: 1250)
    }
    static let evening = FaixaHoraria(abre: hour(20), fecha: .fimDoDia).map {
        Multiplicador(nome: "noite", dias: DiaDaSemana.allCases, faixa: $0, milesimos: 800)
    }

    private static let weekdays: [DiaDaSemana] = [.segunda, .terca, .quarta, .quinta, .sexta]

    private static func hour(_ hour: Int) -> HoraLocal {
        HoraLocal(minutos: hour * 60) ?? .inicioDoDia
    }

    /// Weekdays from one hour to another, Saturdays until two in the afternoon.
    private static func week(_ opens: Int, _ closes: Int) -> HorarioSemanal {
        guard let weekday = FaixaHoraria(abre: hour(opens), fecha: hour(closes)),
            let saturday = FaixaHoraria(abre: hour(opens), fecha: hour(14))
        else { return .fechado }
        var days = Dictionary(uniqueKeysWithValues: weekdays.map { ($0, [weekday]) })
        days[.sabado] = [saturday]
        return HorarioSemanal(days) ?? .fechado
    }

    /// A quarter of an hour to clean up after each booking.
    private static let roomRules = RegrasDeReserva(
        duracaoMinima: .trinta,
        duracaoMaxima: Minutos(12 * 60) ?? .umDia,
        passo: .trinta,
        bufferAntes: .zero,
        bufferDepois: .quinze,
        antecedenciaMinima: .zero,
        horizonte: .noventaDias,
        cancelamento: .padrao,
        retencao: .quinze,
        toleranciaNaoComparecimento: .quinze,
        retencaoDaEspera: .umaHora
    )

    /// Half an hour to set up and an hour to clear away; booked a day ahead at the latest, and approved by management.
    private static let hallRules = RegrasDeReserva(
        duracaoMinima: .umaHora,
        duracaoMaxima: .umDia,
        passo: .trinta,
        bufferAntes: .trinta,
        bufferDepois: .umaHora,
        antecedenciaMinima: .umDia,
        horizonte: Minutos(180 * 1_440) ?? .noventaDias,
        cancelamento: .padrao,
        retencao: .umaHora,
        toleranciaNaoComparecimento: nil,
        prazoDeAprovacao: .umDia
    )

    static let all = [
        DemoUnit(
            name: "CoworkFlow Paulista",
            zone: "America/Sao_Paulo",
            address: "Avenida Paulista, 1000, São Paulo, SP",
            hourlyCents: [
                .salaDeReuniao: 9_000, .salaPrivativa: 6_000, .mesaCompartilhada: 1_500, .auditorio: 35_000, .estudio: 12_000,
                .cabine: 2_000,
            ],
            spaces: [
                DemoSpace(
                    "Sala Ipê", .salaDeReuniao, people: 8, ["wifi", "tv", "quadro"], "Sala clara para oito pessoas.", hours: week(8, 20),
                    rules: roomRules),
                DemoSpace(
                    "Sala Jacarandá", .salaDeReuniao, people: 4, ["wifi", "quadro"], "Sala pequena e silenciosa.", hours: week(8, 20),
                    rules: roomRules),
                DemoSpace(
                    "Escritório 12", .salaPrivativa, people: 6, ["wifi", "armario"], "Sala privativa com seis mesas.",
                    hours: .vinteQuatroHoras),
                DemoSpace(
                    "Salão aberto", .mesaCompartilhada, people: 40, seats: 40, ["wifi", "cafe"], "Mesas compartilhadas, dia e noite.",
                    hours: .vinteQuatroHoras),
                DemoSpace(
                    "Auditório Masp", .auditorio, people: 80, ["wifi", "som", "projetor"], "Oitenta lugares, palco e som.",
                    hours: week(8, 22), rules: hallRules),
                DemoSpace(
                    "Estúdio A", .estudio, people: 3, ["isolamento", "microfones"], "Para podcasts e gravações.", hours: week(8, 22),
                    rules: roomRules),
                DemoSpace("Cabine 1", .cabine, people: 1, ["wifi"], "Para uma chamada sem barulho.", hours: .vinteQuatroHoras),
            ]
        ),
        DemoUnit(
            name: "CoworkFlow Manaus",
            zone: "America/Manaus",
            address: "Avenida Eduardo Ribeiro, 500, Manaus, AM",
            hourlyCents: [
                .salaDeReuniao: 6_000, .salaPrivativa: 4_500, .mesaCompartilhada: 1_000, .auditorio: 22_000, .cabine: 1_200,
            ],
            spaces: [
                DemoSpace(
                    "Sala Rio Negro", .salaDeReuniao, people: 10, ["wifi", "tv", "ar"], "Sala grande com vista para o rio.",
                    hours: week(8, 19), rules: roomRules),
                DemoSpace("Sala Solimões", .salaPrivativa, people: 5, ["wifi", "ar"], "Sala privativa para cinco.", hours: week(7, 22)),
                DemoSpace(
                    "Mesas do Encontro", .mesaCompartilhada, people: 24, seats: 24, ["wifi", "cafe", "ar"], "Mesas compartilhadas.",
                    hours: week(7, 22)),
                DemoSpace(
                    "Auditório Teatro", .auditorio, people: 60, ["wifi", "som", "projetor", "ar"], "Sessenta lugares.", hours: week(8, 22),
                    rules: hallRules),
                DemoSpace("Cabine Boto", .cabine, people: 1, ["wifi", "ar"], "Para uma chamada.", hours: .vinteQuatroHoras),
            ]
        ),
    ]
}
