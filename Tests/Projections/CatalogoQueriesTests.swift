import Domain
import EventStore
import TestSupport
import Testing

@testable import Projections

@Suite("Catalogue")
struct CatalogoQueriesTests {
    private func record(_ space: Int, _ events: EventoDeEspacos..., in log: inout TestLog) throws {
        for event in events { try log.record(.espaco(Samples.id(space)), .espacos(event)) }
    }

    @Test("A space comes with its unit's zone, and as the domain's own state would have it")
    func space() async throws {
        // Given a space and all that can be said of one
        var log = TestLog()
        let id: EspacoID = Samples.id(1)
        let hours = try #require(HorarioSemanal([.segunda: [.diaInteiro]]))
        let rules = try Samples.rules(before: 10, after: 15)
        func closure(_ number: Int, _ day: String) throws -> Fechamento {
            let date = try #require(DataCivil(day))
            return Fechamento(id: Samples.id(number), periodo: try #require(PeriodoLocal(de: date, ate: date)), motivo: "Obra")
        }
        let time = Samples.time(0)
        try log.createUnit(1)
        try log.createSpace(1, in: 1, Samples.description("Sala"))
        let events: [EventoDeEspacos] = [
            .espacoAtualizado(EspacoAtualizado(espaco: id, ficha: Samples.description("Sala Ipê", amenities: ["wifi", "tv"]), em: time)),
            .horarioDefinido(HorarioDefinido(espaco: id, semana: hours, fechaEmFeriados: true, em: time)),
            .regrasDeReservaDefinidas(RegrasDeReservaDefinidas(espaco: id, versao: VersaoDeRegra(4), regras: rules, em: time)),
            .fechamentoDefinido(FechamentoDefinido(espaco: id, fechamento: try closure(1, "2026-05-01"), em: time)),
            .fechamentoDefinido(FechamentoDefinido(espaco: id, fechamento: try closure(2, "2026-06-01"), em: time)),
            .fechamentoRemovido(FechamentoRemovido(espaco: id, fechamento: Samples.id(1), em: time)),
            .espacoDesativado(EspacoDesativado(espaco: id, em: time)),
        ]
        for event in events { try record(1, event, in: &log) }
        let created = EventoDeEspacos.espacoCriado(
            EspacoCriado(espaco: id, unidade: Samples.id(1), ficha: Samples.description("Sala"), em: time)
        )
        let state = ([created] + events).reduce(Espaco.inicial) { $0.evoluindo(com: $1) }
        try await ReadSide.after(log) { read in
            // When
            let space = try #require(try await read.catalogo.space(id))
            // Then
            #expect(space.data == state.dados)
            #expect(!space.active)
            #expect(space.timeZone == "America/Sao_Paulo")
            #expect(space.createdAt == time)
            #expect(try await read.catalogo.space(Samples.id(2)) == nil)
        }
    }

    @Test("A space of which nothing was defined has what the domain begins with")
    func newSpace() async throws {
        var log = TestLog()
        try log.createUnit(1)
        try log.createSpace(1, in: 1, Samples.description("Sala"))
        try await ReadSide.after(log) { read in
            let space = try #require(try await read.catalogo.space(Samples.id(1)))
            #expect(space.active)
            #expect(space.data.semana == .fechado)
            #expect(space.data.regras == .padrao)
            #expect(space.data.versaoDasRegras == .nenhuma)
            #expect(space.data.fechamentos == [])
        }
    }

    @Test(
        "Spaces are found by unit, type, capacity and amenities, by name; those not let only when asked for",
        arguments: [
            (SpaceFilter(), [2, 1, 3]),
            (SpaceFilter(includesInactive: true), [2, 1, 4, 3]),
            (SpaceFilter(unit: Samples.id(2)), [3]),
            (SpaceFilter(type: .auditorio), [3]),
            (SpaceFilter(minimumCapacity: 8), [1, 3]),
            (SpaceFilter(amenities: ["wifi"]), [2, 1]),
            (SpaceFilter(amenities: ["tv", "wifi"]), [1]),
            (SpaceFilter(unit: Samples.id(1), minimumCapacity: 5, amenities: ["piano"]), []),
        ] as [(SpaceFilter, [Int])]
    )
    func search(filter: SpaceFilter, found: [Int]) async throws {
        var log = TestLog()
        try log.createUnit(1)
        try log.createUnit(2, name: "Manaus")
        try log.createSpace(1, in: 1, Samples.description("B", capacity: 8, amenities: ["wifi", "tv"]))
        try log.createSpace(2, in: 1, Samples.description("A", capacity: 4, amenities: ["wifi"]))
        try log.createSpace(3, in: 2, Samples.description("D", type: .auditorio, capacity: 80))
        try log.createSpace(4, in: 2, Samples.description("C", capacity: 1))
        try record(4, .espacoDesativado(EspacoDesativado(espaco: Samples.id(4), em: Samples.time(0))), in: &log)
        try await ReadSide.after(log) { read in
            let ids = try await pages { try await read.catalogo.spaces(filter, limit: 2, after: $0) }.flatMap(\.self).map(\.data.espaco)
            #expect(ids == found.map { Samples.id($0) })
        }
    }

    @Test("A space is found as free exactly when the domain's agenda has the seats left", arguments: [1, 2, 3] as [UInt64])
    func free(seed: UInt64) async throws {
        // Given spaces with buffers and many seats, taken at random, over midnights too; by the half hour, so that much touches
        var random = SeededGenerator(seed: seed)
        var log = TestLog()
        try log.createUnit(1)
        let spaces = 1...12
        var rules: [Int: RegrasDeReserva] = [:]
        var taken: [Int: [ReservaID: Agenda.Ocupacao]] = [:]
        for space in spaces {
            try log.createSpace(space, in: 1, Samples.description("Sala \(space)", seats: Int.random(in: 1...4, using: &random)))
            let own = try Samples.rules(
                before: 30 * Int.random(in: 0...3, using: &random), after: 30 * Int.random(in: 0...3, using: &random)
            )
            rules[space] = own
            try record(
                space,
                .regrasDeReservaDefinidas(
                    RegrasDeReservaDefinidas(espaco: Samples.id(space), versao: VersaoDeRegra(1), regras: own, em: Samples.time(0))
                ),
                in: &log
            )
            for booking in 0..<Int.random(in: 0...14, using: &random) {
                let start = 30 * Int.random(in: 0...130, using: &random)
                let interval = try Samples.interval(start, start + 30 * Int.random(in: 1...30, using: &random))
                let seats = Int.random(in: 1...2, using: &random)
                let id: ReservaID = Samples.id(space * 100 + booking)
                try log.occupy(space, by: space * 100 + booking, interval, seats: seats)
                taken[space, default: [:]][id] = Agenda.Ocupacao(intervalo: interval, lugares: seats)
                if booking % 5 == 4 {
                    try log.free(space, of: space * 100 + booking, interval)
                    taken[space]?[id] = nil
                }
            }
        }
        try await ReadSide.after(log) { read in
            var answers = Set<Bool>()
            for _ in 0..<60 {
                // When
                let start = 30 * Int.random(in: -10...160, using: &random)
                let wish = try Samples.interval(start, start + 30 * Int.random(in: 1...20, using: &random))
                let seats = Int.random(in: 1...3, using: &random)
                let filter = SpaceFilter(free: FreeTime(interval: wish, seats: seats))
                let found = Set(try await read.catalogo.spaces(filter, limit: 100).items.map(\.data.espaco))
                // Then
                for space in spaces {
                    let data = try #require(try await read.catalogo.space(Samples.id(space))).data
                    let own = try #require(rules[space])
                    let needed = wish.estendido(antes: own.bufferAntes, depois: own.bufferDepois)
                    let agendas = Self.agendas(taken[space] ?? [:], days: needed.diasUTC)
                    let isFree = agendas.maiorOcupacao(em: needed) + seats <= data.ficha.lugares
                    #expect(found.contains(Samples.id(space)) == isFree, "space \(space), \(wish)")
                    answers.insert(isFree)
                }
            }
            #expect(answers == [true, false])
            let filter = SpaceFilter(free: FreeTime(interval: try Samples.interval(0, 1)))
            #expect(CatalogoQueries.models(for: filter) == ["catalogo", "agenda"])
            #expect(CatalogoQueries.models(for: SpaceFilter()) == ["catalogo"])
        }
    }

    /// The domain's own reckoning.
    private static func agendas(_ taken: [ReservaID: Agenda.Ocupacao], days: [DataCivil]) -> Agendas {
        let agenda = taken.reduce(Agenda.inicial) { agenda, entry in
            agenda.evoluindo(
                com: .horarioOcupado(
                    HorarioOcupado(
                        espaco: Samples.id(1), dia: entry.value.intervalo.inicio.diaUTC, reserva: entry.key,
                        intervalo: entry.value.intervalo, lugares: entry.value.lugares, em: Samples.time(0)
                    )
                )
            )
        }
        return Agendas(Dictionary(uniqueKeysWithValues: days.map { ($0, agenda) }))
    }

    @Test("The tariff in force is the one that came into force last, and of these the one published last")
    func tariffs() async throws {
        // Given versions as (number, in force from)
        var log = TestLog()
        for (version, day) in [(1, "2026-01-01"), (2, "2026-03-01"), (3, "2026-02-01"), (4, "2026-03-01")] {
            let tariff = TarifarioPublicado(
                unidade: Samples.id(1), versao: VersaoDeRegra(version), vigenteDesde: try #require(DataCivil(day)),
                tarifas: [
                    Tarifa(alvo: .tipo(.salaDeReuniao), valorHora: Dinheiro(centavos: Int64(version * 100))),
                    Tarifa(alvo: .espaco(Samples.id(7)), valorHora: Dinheiro(centavos: 1)),
                ],
                multiplicadores: [Multiplicador(nome: "Pico", dias: [.segunda], faixa: .diaInteiro, milesimos: 1500)], em: Samples.time(0)
            )
            try log.record(.tarifario(Samples.id(1)), .precos(.tarifarioPublicado(tariff)))
        }
        try log.createUnit(1)
        try log.createSpace(6, in: 1, Samples.description("Sala"))
        try log.createSpace(7, in: 1, Samples.description("Especial"))
        try log.createSpace(8, in: 1, Samples.description("Cabine", type: .cabine))
        try await ReadSide.after(log) { read in
            for (day, version) in [("2026-01-31", 1), ("2026-02-01", 3), ("2026-02-28", 3), ("2026-03-01", 4), ("2026-12-01", 4)] {
                let tariff = try await read.catalogo.tariff(of: Samples.id(1), on: try #require(DataCivil(day)))
                #expect(tariff?.version == VersaoDeRegra(version), "on \(day)")
            }
            #expect(try await read.catalogo.tariff(of: Samples.id(1), on: try #require(DataCivil("2025-12-31"))) == nil)
            // And a space's own rate beats that of its type
            let date = try #require(DataCivil("2026-01-01"))
            let tariff = try #require(try await read.catalogo.tariffs(of: [Samples.id(1), Samples.id(2)], on: date)[Samples.id(1)])
            let rates = try await read.catalogo.spaces(limit: 10).items.map { tariff.rate(for: $0.data)?.valorHora.centavos }
            #expect(rates == [nil, 1, 100])
            #expect(tariff.multipliers.map(\.milesimos) == [1500])
        }
    }

    @Test("Units are by name, with their latest data; plans by price, in their latest version")
    func unitsAndPlans() async throws {
        var log = TestLog()
        try log.createUnit(1)
        try log.createUnit(2, name: "Centro")
        let renamed = UnidadeAtualizada(
            unidade: Samples.id(1), nome: "Augusta", fuso: "America/Manaus", endereco: "Rua Augusta, 1", em: Samples.time(9)
        )
        try log.record(.unidade(Samples.id(1)), .espacos(.unidadeAtualizada(renamed)))
        for (plan, version, cents) in [(PlanoID.premium, 1, 30_000), (.basic, 1, 0), (.premium, 2, 29_900)] as [(PlanoID, Int, Int64)] {
            let published = PlanoPublicado(
                plano: plan, versao: VersaoDeRegra(version), nome: plan.texto, desconto: .metade, mensalidade: Dinheiro(centavos: cents),
                em: Samples.time(0)
            )
            try log.record(.plano(plan), .precos(.planoPublicado(published)))
        }
        try await ReadSide.after(log) { read in
            let units = try await read.catalogo.units()
            #expect(units.map(\.name) == ["Augusta", "Centro"])
            #expect(try await read.catalogo.unit(Samples.id(1)) == units[0])
            #expect((units[0].timeZone, units[0].address, units[0].createdAt) == ("America/Manaus", "Rua Augusta, 1", Samples.time(0)))
            let plans = try await read.catalogo.plans()
            #expect(plans.map(\.id) == [.basic, .premium])
            #expect((plans[1].version, plans[1].monthlyFee, plans[1].discount) == (VersaoDeRegra(2), Dinheiro(centavos: 29_900), .metade))
        }
    }
}
