/// What is known of an address that is told of events: the stream `webhook-{id}`.
package enum Webhook: EstadoDeFluxo {
    case inexistente
    case ativo(DadosDoWebhook)
    case desativado(DadosDoWebhook, MotivoDaDesativacao)
    case removido

    package static let inicial = Webhook.inexistente

    package func evoluindo(com evento: EventoDeNotificacoes) -> Webhook {
        switch evento {
        case .webhookCadastrado(let cadastrado):
            return .ativo(
                DadosDoWebhook(
                    webhook: cadastrado.webhook, endereco: cadastrado.endereco, tipos: cadastrado.tipos, segredo: cadastrado.segredo
                ))
        case .webhookAlterado(let alterado):
            guard var dados else { return self }
            dados.endereco = alterado.endereco
            dados.tipos = alterado.tipos
            if case .desativado(_, let motivo) = self { return .desativado(dados, motivo) }
            return .ativo(dados)
        case .webhookDesativado(let desativado): return dados.map { .desativado($0, desativado.motivo) } ?? self
        case .webhookReativado: return dados.map(Webhook.ativo) ?? self
        case .webhookRemovido: return .removido
        case .notificacaoSolicitada, .notificacaoEnviada, .notificacaoFalhou, .notificacaoLida, .preferenciasDefinidas,
            .agendaCompartilhada, .agendaRecolhida:
            return self
        }
    }

    package var dados: DadosDoWebhook? {
        switch self {
        case .inexistente, .removido: nil
        case .ativo(let dados), .desativado(let dados, _): dados
        }
    }

    /// What it is, where there is one.
    package func exigir() throws(RecusaDeNotificacoes) -> DadosDoWebhook {
        guard let dados else { throw .webhookNaoEncontrado }
        return dados
    }
}

/// What a webhook is.
package struct DadosDoWebhook: Hashable, Sendable {
    package let webhook: WebhookID
    package internal(set) var endereco: String
    package internal(set) var tipos: [FiltroDeEventos]
    /// What deliveries are signed with, sealed under the webhook's own id.
    package let segredo: Selado
}

/// Why a webhook is told nothing any more. Stored as its name.
package enum MotivoDaDesativacao: String, Sendable, Codable {
    case administrador
    /// Too many deliveries failed, one after the other.
    case falhas
}

/// Which events somebody wants to be told of: `reservas.ReservaConfirmada`, or `reservas.*` for all of a context.
package struct FiltroDeEventos: Hashable, Sendable, Codable {
    package let texto: String

    /// Refuses what no type of event is named like.
    package init?(_ texto: String) {
        let partes = texto.split(separator: ".", omittingEmptySubsequences: false)
        guard partes.count == 2, texto.utf8.count <= 100, Self.ehNome(partes[0]), partes[1] == "*" || Self.ehNome(partes[1]) else {
            return nil
        }
        self.texto = texto
    }

    package func aceita(_ tipo: String) -> Bool {
        texto == tipo || texto.hasSuffix(".*") && tipo.hasPrefix(texto.dropLast())
    }

    private static func ehNome(_ parte: Substring) -> Bool {
        !parte.isEmpty
            && parte.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    }

    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { FiltroDeEventos($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}
