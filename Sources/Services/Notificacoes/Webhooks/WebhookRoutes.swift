import Domain
package import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Addresses that are told of events: for administrators.
package struct WebhookRoutes: Sendable {
    private static let mostWebhooks = 100

    private let commands: CommandHandling
    private let keyring: Keyring
    private let deliveries: WebhookDeliveries
    private let addresses: AddressGuard

    package init(_ dependencies: ServiceDependencies, deliveries: WebhookDeliveries, addresses: AddressGuard) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        self.deliveries = deliveries
        self.addresses = addresses
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("webhooks", use: register)
        router.put("webhooks/:webhook", use: change)
        router.delete("webhooks/:webhook", use: remove)
        router.post("webhooks/:webhook/enable", use: enable)
        router.post("webhooks/:webhook/disable", use: disable)
        router.get("webhooks/:webhook/deliveries", use: log)
    }

    private struct Input: Decodable {
        let url: String
        let types: [String]
    }

    private struct Registered: Encodable, Sendable {
        let id: String
        let message: String
        /// Told once: a repeat's answer has none.
        let secret: String?
    }

    @Sendable private func register(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Registered> {
        let identity = try context.signedIn(atLeast: .admin)
        let (input, body) = try await request.json(Input.self)
        let types = try await checked(input)
        let id = commands.newID(WebhookID.self)
        let secret = DeliverySignature.freshSecret()
        let sealed = try await keyring.seal(secret, of: id.texto, field: "segredo")
        let execution = try await commands.run(request, context, body: body) { _ in
            guard try await deliveries.count() < Self.mostWebhooks else {
                throw RecusaDeNotificacoes.webhooksDemais(maximo: Self.mostWebhooks)
            }
            return try CadastrarWebhook(
                webhook: id, endereco: input.url, tipos: types, segredo: sealed, ator: identity.actor, agora: commands.now
            ).decidir(webhook: .inexistente)
        }
        let registered = execution.events.lazy.compactMap { event in
            if case .notificacoes(.webhookCadastrado(let registered)) = event { registered.webhook } else { nil }
        }.first
        let answer = Registered(
            id: (registered ?? id).texto, message: "Webhook cadastrado.", secret: execution.repeated ? nil : secret
        )
        return CommandAnswer(.created, answer, at: execution.position)
    }

    private func checked(_ input: Input) async throws -> [FiltroDeEventos] {
        let types = try input.types.enumerated().map { place, text in
            guard let filter = FiltroDeEventos(text) else {
                throw Problem.invalid(field: "types.\(place)", "must be a type such as reservas.ReservaConfirmada, or reservas.*")
            }
            return filter
        }
        do {
            _ = try await addresses.resolve(try addresses.target(input.url))
        } catch let refused as AddressGuard.Refused {
            throw Problem.invalid(field: "url", refused.description)
        }
        return types
    }

    @Sendable private func change(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        _ = try context.signedIn(atLeast: .admin)
        let (input, body) = try await request.json(Input.self)
        let types = try await checked(input)
        return try await move(.alterar(endereco: input.url, tipos: types), "Webhook alterado.", request, context, body: body)
    }

    @Sendable private func remove(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        try await move(.remover, "Webhook removido.", request, context)
    }

    @Sendable private func enable(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        try await move(.reativar, "Webhook ativado.", request, context)
    }

    @Sendable private func disable(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        try await move(.desativar, "Webhook desativado.", request, context)
    }

    private func move(
        _ change: MudarWebhook.Mudanca,
        _ message: String,
        _ request: Request,
        _ context: CoworkRequestContext,
        body: [UInt8] = []
    ) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let id: WebhookID = try context.id("webhook")
        let execution = try await commands.run(request, context, body: body) { loader in
            try MudarWebhook(webhook: id, mudanca: change, ator: identity.actor, agora: commands.now)
                .decidir(webhook: .dobrar(try await loader.load(.webhook(id))))
        }
        return CommandAnswer(Message(message), at: execution.position)
    }

    // MARK: The log of deliveries

    private struct DeliveryView: Encodable, Sendable {
        let position: Int64
        let eventId: String
        let type: String
        /// `pending`, `delivered`, `failed` or `dropped`.
        let state: String
        let attempts: Int32
        let nextAttemptAt: String?
        let lastStatus: Int32?
        let lastError: String?
        let createdAt: String
        let settledAt: String?

        init(_ record: WebhookDeliveryRecord) {
            position = record.position
            eventId = record.eventID.uuidString.lowercased()
            type = record.type
            state = record.state
            attempts = record.attempts
            nextAttemptAt = record.state == "pending" ? Instante(microssegundos: record.nextAt).texto : nil
            lastStatus = record.lastStatus
            lastError = record.lastError
            createdAt = Instante(microssegundos: record.createdAt).texto
            settledAt = record.settledAt.map { Instante(microssegundos: $0).texto }
        }
    }

    /// The newest first; `before` a position goes on.
    @Sendable private func log(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<[DeliveryView]> {
        _ = try context.signedIn(atLeast: .admin)
        let id: WebhookID = try context.id("webhook")
        let before = try request.uri.queryParameters["before"].map { text in
            guard let position = Int64(text), position > 0 else { throw Problem.invalid(field: "before", "must be a position") }
            return position
        }
        let limit = try request.uri.queryParameters["limit"].map { text in
            guard let limit = Int(text), (1...200).contains(limit) else { throw Problem.invalid(field: "limit", "must be from 1 to 200") }
            return limit
        }
        return JSONAnswer(try await deliveries.log(of: id.foundation, before: before, limit: limit ?? 50).map(DeliveryView.init))
    }
}

extension Identificador {
    fileprivate var foundation: UUID { UUID(uuidString: texto) ?? UUID() }
}
