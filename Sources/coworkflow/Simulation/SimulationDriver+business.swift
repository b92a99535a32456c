import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1

/// Management: what is opened, and what comes again every month.
extension SimulationDriver {
    private struct UnitView: Decodable {
        let id: String
        let timezone: String
    }

    private struct SpaceView: Decodable {
        let id: String
        let unitId: String
        let name: String
        let type: String
        let seats: Int
    }

    /// Reads the catalogue that the program begins with, and adds what a business has besides.
    ///
    /// - Parameter receiver: what others have that want to be told of things.
    func open(zones: ZoneCatalog, receiver: SimulatedReceiver) async throws {
        try await rest.come()
        try await administrator.signIn(client, at: clock.now)
        try await hire()
        try await readCatalogue(zones)
        try await makeCoupons()
        for (door, types) in SimulatedReceiver.doors {
            let types = Body.list(types.map(Body.text))
            let reply = try await client.send(
                .POST, "/webhooks", ["url": .text(receiver.url(door)), "types": types], as: administrator.token)
            guard reply.isDone else { throw reply.failure }
            receiver.register(door, as: try reply.decode(Registered.self).id)
        }
        members = [guest]
        homes = [0]
        let first = max(4, population * 6 / 10)
        newcomers = people(population)
        try await signUp(first)
        try await rest.come()
    }

    private struct Registered: Decodable {
        let id: String
    }

    private var population: Int { max(12, plan.bookingsPerDay * 12 / 10) }

    private func hire() async throws {
        for (person, role) in [(manager, "gestor"), (desk, "recepcao")] {
            try await person.signUp(client)
            try await rest.come()
            try await person.signIn(client, at: clock.now)
            let reply = try await client.send(.POST, "/admin/promote/\(person.id)", ["role": .text(role)], as: administrator.token)
            guard reply.isDone else { throw reply.failure }
            try await rest.come()
            person.signOut()
            try await person.signIn(client, at: clock.now)
        }
    }

    private func readCatalogue(_ zones: ZoneCatalog) async throws {
        let seen = try await client.send(.GET, "/units").decode([UnitView].self)
        units = seen.map(\.id)
        let halls = try await client.send(.GET, "/spaces?limit=200").decode([SpaceView].self).sorted { $0.name < $1.name }
        for space in halls {
            guard let type = TipoDeEspaco(rawValue: space.type), let unit = seen.first(where: { $0.id == space.unitId }),
                let drawn = DemoUnit.all.lazy.flatMap(\.spaces).first(where: { $0.card.nome == space.name })
            else { continue }
            places.append(
                SimulatedPlace(
                    id: space.id, name: space.name, unit: space.unitId, zone: try zones.zone(unit.timezone), type: type,
                    seats: space.seats, isAlwaysOpen: drawn.hours == .vinteQuatroHoras,
                    needsApproval: drawn.rules.prazoDeAprovacao != nil
                )
            )
        }
    }

    private func makeCoupons() async throws {
        let coupons: [Body] = [
            ["code": "BEMVINDO10", "percent": 10, "max_uses_per_member": 1, "max_uses": 10_000],
            ["code": "CAFE15", "amount_cents": 1_500, "minimum_cents": 5_000, "max_uses_per_member": 3, "max_uses": 10_000],
            ["code": "FOCO20", "percent": 20, "max_uses": .number(Int64(max(5, plan.bookingsPerDay / 2)))],
        ]
        for coupon in coupons { note(try await client.send(.POST, "/coupons", coupon, as: administrator.token)) }
    }

    // MARK: Members

    private static let givenNames = [
        "Ana", "Bruno", "Carla", "Diego", "Elisa", "Fábio", "Gabriela", "Heitor", "Iara", "João", "Karina", "Lucas", "Mariana", "Nelson",
        "Olívia", "Paulo", "Rafaela", "Sérgio", "Tainá", "Vitor", "Yasmin", "Caio", "Débora", "Otávio",
    ]
    private static let surnames = [
        "Almeida", "Barros", "Cardoso", "Duarte", "Esteves", "Figueiredo", "Gonçalves", "Holanda", "Lima", "Macedo", "Nogueira",
        "Oliveira", "Pacheco", "Queiroz", "Ribeiro", "Souza", "Teixeira", "Vasconcelos",
    ]

    private func people(_ count: Int) -> [SimulatedPerson] {
        (1...count).map { number in
            let given = Self.givenNames[dice.among(0...Self.givenNames.count - 1)]
            let surname = Self.surnames[dice.among(0...Self.surnames.count - 1)]
            return SimulatedPerson(email: "membro\(number)@exemplo.test", name: "\(given) \(surname)")
        }
    }

    private func signUp(_ count: Int) async throws {
        let joining = Array(newcomers.prefix(count))
        newcomers.removeFirst(joining.count)
        // A unit has as many members as its size allows.
        let seats = units.indices.map { unit in (unit, places.filter { $0.unit == units[unit] }.reduce(0) { $0 + $1.seats }) }
        let client = client
        _ = try await together(joining) { try await $0.signUp(client) }
        for person in joining {
            members.append(person)
            homes.append(dice.pick(seats))
        }
        try await rest.come()
    }

    /// The business grows: most members come in its first two thirds. Some take a plan, and some give it up.
    func welcome() async throws {
        let span = Double((plan.end - plan.start).microssegundos) * 2 / 3
        let gone = min(1, Double((clock.time - plan.start).microssegundos) / span)
        let wanted = max(4, population * 6 / 10) + Int(Double(population - max(4, population * 6 / 10)) * gone)
        let missing = min(newcomers.count, wanted - (members.count - 1))
        if missing > 0 { try await signUp(missing) }
        try await subscribe()
    }

    private func subscribe() async throws {
        // About a third of the members has a plan in the end.
        let wanted = members.count * 35 / 100
        if subscribers.count < wanted, dice.happens(120) {
            let member = dice.among(1...members.count - 1)
            if !subscribers.contains(member), !erased.contains(member) {
                try await signIn([member])
                let name = dice.happens(700) ? "premium" : "enterprise"
                let reply = try await client.send(.POST, "/subscriptions", ["plan": .text(name)], as: members[member].token)
                note(reply)
                if reply.isDone { subscribers.append(member) }
                try await rest.come()
            }
        } else if let member = subscribers.first, dice.happens(8) {
            try await signIn([member])
            subscribers.removeFirst()
            note(try await client.send(.DELETE, "/subscriptions/me", as: members[member].token))
            try await rest.come()
        }
    }

    // MARK: Months

    /// What management does at ten in the morning: expenses, credits as a courtesy, the end of the month before.
    func manage(_ local: DataHoraLocal) async throws {
        guard local.hora.minutos == 600 else { return }
        for (unit, share) in zip(units, [10, 6]) {
            for (category, cents, due) in Self.expenses where due(local.data) {
                let body: Body = [
                    "category": .text(category), "date": .text(local.data.texto), "amount_cents": .number(Int64(cents * share / 10)),
                    "unit_id": .text(unit),
                ]
                let reply = try await client.send(.POST, "/financial/expenses", body, as: desk.token)
                note(reply)
                guard reply.isDone, dice.happens(80) else { continue }
                let path = "/financial/expenses/\(try reply.decode(Expense.self).id)/reverse"
                note(try await client.send(.POST, path, ["reason": "Lançada em duplicidade."], as: desk.token))
            }
        }
        if local.data.diaDaSemana == .quarta, members.count > 1 {
            let member = dice.among(1...members.count - 1)
            if !erased.contains(member) {
                try await signIn([member])
                let body: Body = ["minutes": 120]
                note(try await client.send(.POST, "/subscriptions/\(members[member].id)/credits", body, as: desk.token))
            }
        }
        try await rest.come()
        try await close(MesCivil(de: local.data).anterior, on: local.data)
    }

    private struct Expense: Decodable {
        let id: String
    }

    /// From the second of a month on, the one before is closed; while something of it is open, it is tried again the next day.
    private func close(_ month: MesCivil, on today: DataCivil) async throws {
        guard today.dia >= 2, plan.start < month.fimEmTodaParte, !closed.contains(month) else { return }
        let reply = try await client.send(.POST, "/financial/close/\(month)", as: manager.token)
        note(reply)
        if reply.isDone { closed.insert(month) }
        try await rest.come()
    }

    private static let expenses: [(String, Int, @Sendable (DataCivil) -> Bool)] = [
        ("rent", 1_850_000, { $0.dia == 5 }),
        ("electricity", 312_000, { $0.dia == 12 }),
        ("internet", 64_900, { $0.dia == 15 }),
        ("cleaning", 48_000, { $0.diaDaSemana == .sexta }),
        ("supplies", 27_350, { $0.diaDaSemana == .segunda }),
        ("staff", 1_420_000, { $0.dia == 28 }),
        ("maintenance", 39_900, { $0.dia == 20 }),
    ]
}
