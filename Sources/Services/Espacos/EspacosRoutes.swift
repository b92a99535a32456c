import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Units and spaces over HTTP: what there is to book and the rules it is booked by.
package struct EspacosRoutes: Sendable {
    private let commands: CommandHandling
    private let zones: ZoneCatalog
    private let reader: LogReader

    package init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        zones = dependencies.zones
        reader = dependencies.reader
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("units", use: createUnit)
        router.put("units/:unit", use: updateUnit)
        router.post("spaces", use: createSpace)
        router.put("spaces/:space", use: updateSpace)
        router.delete("spaces/:space", use: deactivate)
        router.post("spaces/:space/reactivate", use: reactivate)
        router.put("spaces/:space/rules", use: setRules)
        router.put("spaces/:space/hours", use: setHours)
        router.put("spaces/:space/closures", use: addClosure)
        router.delete("spaces/:space/closures/:closure", use: removeClosure)
    }

    @Sendable private func createUnit(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .admin)
        let (input, body) = try await request.json(UnitInput.self)
        try input.checkZone(zones)
        let unit: UnidadeID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            try CriarUnidade(
                unidade: unit, nome: input.name, fuso: input.timezone, endereco: input.address, por: .ator(identity.actor),
                agora: commands.now
            )
            .decidir(unidade: .dobrar(try await loader.load(.unidade(unit))))
        }
        let id = execution.events.lazy.compactMap(\.createdUnit).first ?? unit
        return CommandAnswer(.created, Created(id: id.texto, message: "Unidade criada."), at: execution.position)
    }

    @Sendable private func updateUnit(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let unit: UnidadeID = try context.id("unit")
        let (input, body) = try await request.json(UnitInput.self)
        try input.checkZone(zones)
        let execution = try await commands.run(request, context, body: body) { loader in
            try AtualizarUnidade(
                unidade: unit, nome: input.name, fuso: input.timezone, endereco: input.address, por: .ator(identity.actor),
                agora: commands.now
            )
            .decidir(unidade: .dobrar(try await loader.load(.unidade(unit))))
        }
        return CommandAnswer(Message("Unidade atualizada."), at: execution.position)
    }

    @Sendable private func createSpace(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .admin)
        let (input, body) = try await request.json(SpaceInput.self)
        let more = try JSON.decode(NewSpaceInput.self, from: body)
        let space: EspacoID = commands.newID()
        let unit = try more.unit()
        let command = CriarEspaco(
            espaco: space,
            unidade: unit,
            ficha: try input.card(),
            semana: try more.week(),
            fechaEmFeriados: more.closedOnHolidays ?? false,
            regras: try more.rules?.rules(),
            por: .ator(identity.actor), agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load([.espaco(space), .unidade(unit)])
            return try command.decidir(
                espaco: .dobrar(streams[.espaco(space)] ?? []),
                unidade: .dobrar(streams[.unidade(unit)] ?? [])
            )
        }
        let id = execution.events.lazy.compactMap(\.createdSpace).first ?? space
        return CommandAnswer(.created, Created(id: id.texto, message: "Espaço criado."), at: execution.position)
    }

    @Sendable private func updateSpace(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let id: EspacoID = try context.id("space")
        let (input, body) = try await request.json(SpaceInput.self)
        let card = try input.card()
        let execution = try await commands.run(request, context, body: body) { loader in
            let now = commands.now
            let space = Espaco.dobrar(try await loader.load(.espaco(id)))
            let shrinks = space.dados.map { card.lugares < $0.ficha.lugares } ?? false
            let taken = shrinks ? try await self.agendas(of: space, from: now, loader).adiante(de: now).lugares : 0
            return try AtualizarEspaco(espaco: id, ficha: card, por: .ator(identity.actor), agora: now).decidir(
                espaco: space, ocupacaoAdiante: taken)
        }
        return CommandAnswer(Message("Espaço atualizado."), at: execution.position)
    }

    @Sendable private func deactivate(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let id: EspacoID = try context.id("space")
        let execution = try await commands.run(request, context, body: []) { loader in
            let now = commands.now
            let space = Espaco.dobrar(try await loader.load(.espaco(id)))
            let ahead = try await self.agendas(of: space, from: now, loader).adiante(de: now).reservas
            return try DesativarEspaco(espaco: id, por: .ator(identity.actor), agora: now).decidir(espaco: space, reservasAdiante: ahead)
        }
        return CommandAnswer(Message("Espaço desativado."), at: execution.position)
    }

    /// Every agenda day that a booking could touch that is made meanwhile: those are guarded. And every day ahead that has been booked, for
    /// the horizon may have been another, and operators are held to none.
    private func agendas(of space: Espaco, from now: Instante, _ loader: StreamLoader) async throws -> Agendas {
        guard let data = space.dados else { return Agendas([:]) }
        let reach = data.regras.horizonte.duracao + RegrasDeReserva.maiorDuracao.duracao
        // Buffers are a day at most, on either side.
        let first = now.diaUTC.somandoDias(-1)
        let last = (now + reach).diaUTC.somandoDias(1)
        let days = (first.diasDesde1970...last.diasDesde1970).map(DataCivil.init(diasDesde1970:))
        let start = NomeDeFluxo.inicioDaAgenda(data.espaco)
        let booked = try await reader.streams(beginningWith: start).compactMap { DataCivil($0.dropFirst(start.count)) }.filter { $0 > last }
        return try await loader.agendas(of: data.espaco, on: days + booked.sorted())
    }

    @Sendable private func reactivate(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let id: EspacoID = try context.id("space")
        let execution = try await commands.run(request, context, body: []) { loader in
            try ReativarEspaco(espaco: id, por: .ator(identity.actor), agora: commands.now).decidir(
                espaco: .dobrar(try await loader.load(.espaco(id))))
        }
        return CommandAnswer(Message("Espaço reativado."), at: execution.position)
    }

    @Sendable private func setRules(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        let id: EspacoID = try context.id("space")
        let (input, body) = try await request.json(RulesInput.self)
        let rules = try input.rules()
        let execution = try await commands.run(request, context, body: body) { loader in
            try DefinirRegras(espaco: id, regras: rules, por: .ator(identity.actor), agora: commands.now)
                .decidir(espaco: .dobrar(try await loader.load(.espaco(id))))
        }
        return CommandAnswer(Message("Regras definidas."), at: execution.position)
    }

    @Sendable private func setHours(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        let id: EspacoID = try context.id("space")
        let (input, body) = try await request.json(HoursInput.self)
        let week = try input.week()
        let execution = try await commands.run(request, context, body: body) { loader in
            try DefinirHorario(
                espaco: id, semana: week, fechaEmFeriados: input.closedOnHolidays ?? false, por: .ator(identity.actor), agora: commands.now
            )
            .decidir(espaco: .dobrar(try await loader.load(.espaco(id))))
        }
        return CommandAnswer(Message("Horário definido."), at: execution.position)
    }

    @Sendable private func addClosure(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .gestor)
        let id: EspacoID = try context.id("space")
        let (input, body) = try await request.json(ClosureInput.self)
        let closure = Fechamento(id: commands.newID(), periodo: try input.period(), motivo: input.reason)
        let execution = try await commands.run(request, context, body: body) { loader in
            try DefinirFechamento(espaco: id, fechamento: closure, por: .ator(identity.actor), agora: commands.now)
                .decidir(espaco: .dobrar(try await loader.load(.espaco(id))))
        }
        let made = execution.events.lazy.compactMap(\.addedClosure).first ?? closure.id
        return CommandAnswer(.created, Created(id: made.texto, message: "Fechamento definido."), at: execution.position)
    }

    @Sendable private func removeClosure(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        let id: EspacoID = try context.id("space")
        let closure: FechamentoID = try context.id("closure")
        let execution = try await commands.run(request, context, body: []) { loader in
            try RemoverFechamento(espaco: id, fechamento: closure, por: .ator(identity.actor), agora: commands.now)
                .decidir(espaco: .dobrar(try await loader.load(.espaco(id))))
        }
        return CommandAnswer(Message("Fechamento removido."), at: execution.position)
    }
}

extension EventoDoDominio {
    fileprivate var createdUnit: UnidadeID? {
        if case .espacos(.unidadeCriada(let event)) = self { return event.unidade }
        return nil
    }

    fileprivate var createdSpace: EspacoID? {
        if case .espacos(.espacoCriado(let event)) = self { return event.espaco }
        return nil
    }

    fileprivate var addedClosure: FechamentoID? {
        if case .espacos(.fechamentoDefinido(let event)) = self { return event.fechamento.id }
        return nil
    }
}
