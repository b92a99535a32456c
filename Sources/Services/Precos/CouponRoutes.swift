import Domain
import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird

/// Coupons over HTTP: made and ended by management.
struct CouponRoutes: Sendable {
    private let commands: CommandHandling

    init(commands: CommandHandling) {
        self.commands = commands
    }

    func add(to router: Router<CoworkRequestContext>) {
        router.post("coupons", use: create)
        router.delete("coupons/:code", use: deactivate)
    }

    private struct Input: Decodable {
        let code: String
        let percent: Int?
        let amountCents: Int64?
        /// Dates of the unit on which bookings may be made with it, both included.
        let validFrom: String?
        let validTo: String?
        let maxUses: Int?
        let maxUsesPerMember: Int?
        let minimumCents: Int64?
        let spaceIds: [String]?
        let types: [String]?
    }

    private struct Made: Encodable, Sendable {
        let id: String
        let code: String
        let message: String
    }

    /// As many uses as a coupon has that names no number.
    private static let usualUses = 1_000

    @Sendable private func create(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Made> {
        let identity = try context.signedIn(atLeast: .gestor)
        let (input, body) = try await request.json(Input.self)
        guard let code = CodigoDoCupom(input.code) else {
            throw Problem.invalid(field: "code", "must have 3 to 40 letters without accents, digits, - or _")
        }
        let terms = TermosDoCupom(
            desconto: try discount(input),
            validoDe: try input.validFrom.map { try TimeInput.date($0, field: "valid_from") },
            validoAte: try input.validTo.map { try TimeInput.date($0, field: "valid_to") },
            limiteDeUsos: input.maxUses ?? Self.usualUses,
            limitePorMembro: input.maxUsesPerMember,
            valorMinimo: input.minimumCents.map { Dinheiro(centavos: $0) },
            espacos: try (input.spaceIds ?? []).map { text in
                guard let space = EspacoID(text) else { throw Problem.invalid(field: "space_ids", "must be ids of spaces") }
                return space
            },
            tipos: try (input.types ?? []).map { text in
                guard let type = TipoDeEspaco(rawValue: text) else { throw Problem.invalid(field: "types", "must be types of spaces") }
                return type
            }
        )
        let command = CriarCupom(codigo: code, termos: terms, por: .ator(identity.actor), agora: commands.now)
        let execution = try await commands.run(request, context, body: body) { loader in
            try command.decidir(cupom: .dobrar(try await loader.load(.cupom(code))))
        }
        return CommandAnswer(.created, Made(id: code.texto, code: code.texto, message: "Cupom criado."), at: execution.position)
    }

    private func discount(_ input: Input) throws(Problem) -> DescontoDoCupom {
        switch (input.percent, input.amountCents) {
        case (let percent?, nil):
            guard let share = Percentual(percent), percent > 0 else { throw .invalid(field: "percent", "must be from 1 to 100") }
            return .percentual(share)
        case (nil, let cents?): return .valor(Dinheiro(centavos: cents))
        case (nil, nil), (.some, .some): throw .invalid(field: "percent", "is required unless amount_cents is given, and excludes it")
        }
    }

    @Sendable private func deactivate(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        guard let code = context.parameters.get("code").flatMap({ CodigoDoCupom($0) }) else { throw Problem.notFound }
        let execution = try await commands.run(request, context, body: []) { loader in
            let coupon = Cupom.dobrar(try await loader.load(.cupom(code)))
            guard coupon != .inexistente else { throw Problem.notFound }
            return try DesativarCupom(codigo: code, por: .ator(identity.actor), agora: commands.now).decidir(cupom: coupon)
        }
        return CommandAnswer(Message("Cupom desativado."), at: execution.position)
    }
}
