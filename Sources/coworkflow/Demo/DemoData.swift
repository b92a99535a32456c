import Domain
import EventStore
import Foundation
import HTTP
import Postgres
import UsuariosService

/// What a first look at the system needs: two units, twelve spaces with rates, hours and rules, three plans, two logins.
/// Every command has a name, so loading it again changes nothing.
struct DemoData: Sendable {
    static let administrator = (email: "admin@coworkflow.local", password: "admin123")
    static let member = (email: "user@coworkflow.local", password: "user123")

    /// The command that is given last.
    private static let last = "demo member"

    let composition: Composition
    let parts: Composition.CommandParts

    /// Demo logins are known to everyone: outside development no accounts are served from a log that has them.
    static func refuseOutsideDevelopment(_ composition: Composition) async throws {
        guard composition.settings.environment == .production else { return }
        let parts = composition.commandParts("check")
        let loaded = try await parts.reader.command(CommandHandling.commandID(named: last))
        await parts.pool.close()
        guard loaded == nil else {
            throw Settings.Problem.invalid("environment", "is production, but the log holds the demo logins: use a database of its own")
        }
    }

    /// Loads what is missing.
    func load() async throws {
        guard try await parts.reader.command(CommandHandling.commandID(named: Self.last)) == nil else { return }
        for plan in DemoPlan.all { try await publish(plan) }
        for unit in DemoUnit.all { try await create(unit) }
        let accounts = try composition.accounts(parts)
        try await register(Self.administrator, "Ana Administradora", .linhaDeComando(.admin), "demo administrator", accounts)
        try await register(Self.member, "Mário Membro", .autocadastro, Self.last, accounts)
    }

    private func publish(_ plan: DemoPlan) async throws {
        guard let discount = Percentual(plan.discount) else { return }
        let command = PublicarPlano(
            plano: plan.id,
            nome: plan.name,
            desconto: discount,
            mensalidade: Dinheiro(centavos: plan.monthlyCents),
            creditosMensais: plan.includedMinutes,
            por: .linhaDeComando,
            agora: parts.commands.now
        )
        _ = try await parts.commands.run(named: "demo plan \(plan.id.texto)") { loader in
            try command.decidir(plano: .dobrar(try await loader.load(.plano(plan.id))))
        }
    }

    private func create(_ unit: DemoUnit) async throws {
        let id: UnidadeID = Self.id("unit \(unit.name)")
        let command = CriarUnidade(
            unidade: id,
            nome: unit.name,
            fuso: unit.zone,
            endereco: unit.address,
            por: .linhaDeComando,
            agora: parts.commands.now
        )
        _ = try await parts.commands.run(named: "demo unit \(id.texto)") { loader in
            try command.decidir(unidade: .dobrar(try await loader.load(.unidade(id))))
        }
        try await publishTariff(of: unit, id)
        for space in unit.spaces { try await create(space, in: id) }
    }

    private func publishTariff(of unit: DemoUnit, _ id: UnidadeID) async throws {
        guard let since = DataCivil(ano: 2024, mes: 1, dia: 1), let peak = DemoUnit.peak, let evening = DemoUnit.evening else { return }
        let command = PublicarTarifario(
            unidade: id,
            vigenteDesde: since,
            tarifas: unit.hourlyCents.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, cents in
                // Nobody pays for more than eight hours of a day.
                Tarifa(alvo: .tipo(type), valorHora: Dinheiro(centavos: cents), tetoDiario: Dinheiro(centavos: cents * 8))
            },
            multiplicadores: [peak, evening],
            por: .linhaDeComando,
            agora: parts.commands.now
        )
        _ = try await parts.commands.run(named: "demo tariff \(id.texto)") { loader in
            try command.decidir(tarifario: .dobrar(try await loader.load(.tarifario(id))))
        }
    }

    private func create(_ space: DemoSpace, in unit: UnidadeID) async throws {
        let id: EspacoID = Self.id("space \(unit.texto) \(space.card.nome)")
        let command = CriarEspaco(
            espaco: id,
            unidade: unit,
            ficha: space.card,
            semana: space.hours,
            fechaEmFeriados: space.hours != .vinteQuatroHoras,
            regras: space.rules,
            por: .linhaDeComando,
            agora: parts.commands.now
        )
        _ = try await parts.commands.run(named: "demo space \(id.texto)") { loader in
            let streams = try await loader.load([.espaco(id), .unidade(unit)])
            return try command.decidir(espaco: .dobrar(streams[.espaco(id)] ?? []), unidade: .dobrar(streams[.unidade(unit)] ?? []))
        }
    }

    private func register(
        _ login: (email: String, password: String),
        _ name: String,
        _ via: CadastrarUsuario.Via,
        _ command: String,
        _ accounts: Accounts
    ) async throws {
        let registration = try await accounts.registration(
            user: Self.id(command),
            email: login.email,
            password: login.password,
            name: name,
            via: via,
            at: parts.commands.now
        )
        _ = try await parts.commands.run(named: command) { loader in
            try await accounts.register(registration, loader)
        }
    }

    private static func id<Mark>(_ name: String) -> Identificador<Mark> {
        Identificador(CommandHandling.commandID(named: "demo id \(name)"))
    }
}
