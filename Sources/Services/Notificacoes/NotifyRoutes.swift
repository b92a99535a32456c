package import Crypto
package import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// What people of the desk write.
package struct NotifyRoutes: Sendable {
    private let commands: CommandHandling
    private let keyring: Keyring
    private let zones: ZoneCatalog
    private let channels: Set<Canal>
    private let emailKey: SymmetricKey

    /// - Parameters:
    ///   - channels: those over which something can be sent.
    ///   - emailKey: names the streams of addresses and the keys of those that are nobody's; finds whose account an address is.
    package init(_ dependencies: ServiceDependencies, channels: Set<Canal>, emailKey: SymmetricKey) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        zones = dependencies.zones
        self.channels = channels
        self.emailKey = emailKey
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("notify/email", use: email)
        router.post("notify/sms", use: sms)
        router.post("notify/push", use: push)
    }

    private struct EmailInput: Decodable {
        let to: String
        let subject: String
        let body: String
    }

    private struct SMSInput: Decodable {
        let phone: String
        let message: String
    }

    private struct PushInput: Decodable {
        let userId: String
        let title: String
        let message: String
    }

    @Sendable private func email(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .recepcao)
        let (input, body) = try await request.json(EmailInput.self)
        let address = try EmailAddress(input.to, field: "to")
        let words = Words(
            title: try Self.checked(line: input.subject, field: "subject"), text: try Self.checked(text: input.body, field: "body")
        )
        let (id, key) = (commands.newID(NotificacaoID.self), try address.key(emailKey))
        let execution = try await commands.run(request, context, body: body) { loader in
            try requireChannel(.email)
            let owner: UsuarioID? =
                if case .reservado(let user) = EnderecoDeEmail.dobrar(try await loader.load(.email(key))) { user } else { nil }
            let recipient: Recipient = owner.map { .account($0) } ?? .address(address.text, AddressSubject(email: key))
            return try await ask(for: Sketch(id: id, channel: .email, to: recipient, by: identity.user), words, loader)
        }
        return answer(execution)
    }

    @Sendable private func sms(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .recepcao)
        let (input, body) = try await request.json(SMSInput.self)
        let phone = try PhoneNumber(input.phone, field: "phone")
        let recipient = Recipient.address(phone.text, AddressSubject(phone: phone, secret: emailKey))
        let words = Words(title: "CoworkFlow", text: try Self.checked(text: input.message, field: "message", limit: 1000))
        let id = commands.newID(NotificacaoID.self)
        let execution = try await commands.run(request, context, body: body) { loader in
            try requireChannel(.sms)
            return try await ask(for: Sketch(id: id, channel: .sms, to: recipient, by: identity.user), words, loader)
        }
        return answer(execution)
    }

    /// Into the app, and onto the person's device where they have named one and something can carry it there.
    @Sendable private func push(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .recepcao)
        let (input, body) = try await request.json(PushInput.self)
        guard let user = UsuarioID(input.userId) else { throw Problem.invalid(field: "user_id", "must be the id of a user") }
        let words = Words(
            title: try Self.checked(line: input.title, field: "title"),
            text: try Self.checked(text: input.message, field: "message", limit: 1000)
        )
        let ids = [Canal.app: commands.newID(NotificacaoID.self), .push: commands.newID(NotificacaoID.self)]
        let execution = try await commands.run(request, context, body: body) { loader in
            // Before anything of theirs is touched: sealing would make a key for whatever id was named.
            guard !(try await loader.load(.usuario(user))).isEmpty else { throw RecusaDeNotificacoes.destinatarioNaoEncontrado }
            let preferences = Preferencias.dobrar(try await loader.load(.preferencias(user)))
            let carried = preferences.dispositivo != nil && channels.contains(.push)
            var decided: [EventosDoFluxo] = []
            for channel in carried ? [Canal.app, .push] : [.app] {
                guard let id = ids[channel] else { continue }
                decided += try await ask(for: Sketch(id: id, channel: channel, to: .account(user), by: identity.user), words, loader)
            }
            return decided
        }
        return answer(execution)
    }

    // MARK: What they share

    private struct Words {
        let title: String
        let text: String
    }

    private enum Recipient {
        case account(UsuarioID)
        /// An address, and what names it without revealing it.
        case address(String, AddressSubject)
    }

    /// A message before its texts are sealed.
    private struct Sketch {
        let id: NotificacaoID
        let channel: Canal
        let to: Recipient
        let by: UsuarioID
    }

    private func requireChannel(_ channel: Canal) throws(RecusaDeNotificacoes) {
        guard channels.contains(channel) else { throw .canalDesligado(channel) }
    }

    /// What goes to an account is sealed under its owner's key, anything else under a key of the address.
    private func ask(for sketch: Sketch, _ words: Words, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let (now, keyring) = (commands.now, keyring)
        func sealed(_ text: String, _ field: String) async throws -> Selado {
            switch sketch.to {
            case .account(let user): try await loader.seal(text, of: user, field: field, with: keyring)
            case .address(_, let subject): try await keyring.seal(text, ofAddress: subject.text, field: field)
            }
        }
        var preferences = Preferencias.inicial
        var (owner, address): (UsuarioID?, Selado?)
        switch sketch.to {
        case .account(let user):
            owner = user
            preferences = .dobrar(try await loader.load(.preferencias(user)))
        case .address(let text, _): address = try await sealed(text, "endereco")
        }
        let zone = try preferences.silencio.map { try zones.zone($0.fuso) }
        let request = NotificacaoSolicitada(
            notificacao: sketch.id,
            aviso: .mensagem,
            canal: sketch.channel,
            destinatario: owner,
            endereco: address,
            idioma: preferences.idioma,
            titulo: try await sealed(words.title, "titulo"),
            texto: try await sealed(words.text, "texto"),
            por: sketch.by,
            enviarEm: preferences.enviarEm(sketch.channel, agora: now, zona: zone),
            em: now
        )
        return SolicitarNotificacao(request).decidir(notificacao: .inexistente)
    }

    /// From the events, so that a repeat is answered like the first time.
    private func answer(_ execution: Execution) -> CommandAnswer<Created> {
        let id = execution.events.lazy.compactMap { event in
            if case .notificacoes(.notificacaoSolicitada(let asked)) = event { asked.notificacao.texto } else { nil }
        }.first
        return CommandAnswer(.accepted, Created(id: id ?? "", message: "Mensagem aceita."), at: execution.position)
    }

    /// One line: what stands in it becomes a header.
    private static func checked(line: String, field: String) throws(Problem) -> String {
        let scalars = line.unicodeScalars
        guard (1...200).contains(scalars.count), scalars.contains(where: { !$0.properties.isWhitespace }),
            scalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}" })
        else { throw .invalid(field: field, "must have 1 to 200 characters in one line") }
        return line
    }

    private static func checked(text: String, field: String, limit: Int = 10_000) throws(Problem) -> String {
        guard (1...limit).contains(text.unicodeScalars.count), text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: field, "must have 1 to \(limit) characters")
        }
        return text
    }
}
