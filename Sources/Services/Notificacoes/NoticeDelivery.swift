package import Domain
package import EventStore
import HTTP

/// Sends what was asked to be sent, and records what became of it.
package struct NoticeDelivery: Sendable {
    private let reader: LogReader
    private let keyring: Keyring
    private let desk: NoticeDesk
    private let carriers: [Canal: any Carrier]

    /// - Parameter carriers: one a channel that is set up; the app needs none.
    package init(reader: LogReader, keyring: Keyring, desk: NoticeDesk, carriers: [Canal: any Carrier]) {
        self.reader = reader
        self.keyring = keyring
        self.desk = desk
        self.carriers = carriers
    }

    func deliver(_ timer: DueTimer, _ commands: CommandHandling, policy: String) async throws {
        guard let id = NotificacaoID(timer.aggregate) else { throw Problem.notFound }
        guard case .pendente(let request) = try await state(of: id) else { return }
        var postponed: DeliveryFailure?
        let result: RegistrarTentativa.Resultado
        switch try await compose(request) {
        case .failure(let reason): result = .recusada(reason.reason)
        case .success(let (message, carrier)):
            do throws(DeliveryFailure) {
                try await carrier.deliver(message)
                result = .entregue
            } catch {
                postponed = error.isTransient ? error : nil
                result = error.isTransient ? .adiada : .recusada(.recusada)
            }
        }
        let execution = try await commands.run(timer, of: policy) { loader in
            RegistrarTentativa(notificacao: id, resultado: result, tentativa: max(1, Int(timer.attempts)), agora: commands.now)
                .decidir(notificacao: .dobrar(try await loader.load(.notificacao(id))))
        }
        guard let postponed, execution.events.isEmpty, case .pendente = try await state(of: id) else { return }
        // The timer brings it again; whoever does not get it at all is told of by `NotificacaoFalhou`.
        throw TimerPostponed(postponed.reason)
    }

    private func state(of id: NotificacaoID) async throws -> Notificacao {
        let name = NomeDeFluxo.notificacao(id).texto
        return .dobrar(try (try await reader.streams([name])[name] ?? []).map(reader.decoded.event))
    }

    /// There is nothing to send, or nobody to send it to.
    private struct Impossible: Error {
        let reason: MotivoDaFalha
    }

    private func compose(_ request: NotificacaoSolicitada) async throws -> Result<(OutgoingMessage, any Carrier), Impossible> {
        guard let carrier = carriers[request.canal] else { return .failure(Impossible(reason: .canalDesligado)) }
        do {
            guard let address = try await address(for: request) else { return .failure(Impossible(reason: .semEndereco)) }
            let message = OutgoingMessage(
                id: request.notificacao,
                channel: request.canal,
                to: address.to,
                name: address.name,
                language: request.idioma,
                title: try await keyring.open(request.titulo, field: "titulo"),
                text: try await keyring.open(request.texto, field: "texto"),
                told: try await desk.told(request),
                at: request.em
            )
            return .success((message, carrier))
        } catch Keyring.Problem.erased {
            return .failure(Impossible(reason: .destinatarioApagado))
        }
    }

    /// Nil where there is none (any more).
    private func address(for request: NotificacaoSolicitada) async throws -> (to: String, name: String)? {
        if let given = request.endereco { return (try await keyring.open(given, field: "endereco"), "") }
        guard let user = request.destinatario else { return nil }
        let names = [NomeDeFluxo.usuario(user), .preferencias(user)].map(\.texto)
        let streams = try await reader.streams(names)
        func events(_ name: String) throws -> [EventoDoDominio] { try (streams[name] ?? []).map(reader.decoded.event) }
        let account: DadosDaConta
        switch Conta.dobrar(try events(names[0])) {
        case .inexistente, .apagada: throw Keyring.Problem.erased
        case .ativa(let data), .bloqueada(let data): account = data
        }
        let preferences = Preferencias.dobrar(try events(names[1]))
        let name = try await keyring.open(account.nome, field: "nome")
        switch request.canal {
        case .app: return nil
        case .email: return (try await keyring.open(account.email, field: "email"), name)
        case .sms:
            guard let phone = preferences.telefone else { return nil }
            return (try await keyring.open(phone, field: "telefone"), name)
        case .push:
            guard let device = preferences.dispositivo else { return nil }
            return (try await keyring.open(device, field: "dispositivo"), name)
        }
    }
}
