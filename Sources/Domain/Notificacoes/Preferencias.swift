/// How somebody wants to be told things: the stream `preferencias-{usuario}`.
package struct Preferencias: EstadoDeFluxo {
    package private(set) var idioma = IdiomaDoAviso.portugues
    package private(set) var escolhas: [EscolhaDeCanais] = []
    package private(set) var silencio: HorasDeSilencio?
    /// Where text messages go; none without it.
    package private(set) var telefone: Selado?
    /// What a push service knows the person's device by.
    package private(set) var dispositivo: Selado?
    /// The digest of the secret under which the person's bookings can be followed as a calendar; nil where they cannot.
    package private(set) var agenda: ChaveDeAgenda?

    package static let inicial = Preferencias()

    package func evoluindo(com evento: EventoDeNotificacoes) -> Preferencias {
        var preferencias = self
        switch evento {
        case .preferenciasDefinidas(let definidas):
            preferencias.idioma = definidas.idioma
            preferencias.escolhas = definidas.escolhas
            preferencias.silencio = definidas.silencio
            preferencias.telefone = definidas.telefone
            preferencias.dispositivo = definidas.dispositivo
        case .agendaCompartilhada(let compartilhada): preferencias.agenda = compartilhada.chave
        case .agendaRecolhida: preferencias.agenda = nil
        case .notificacaoSolicitada, .notificacaoEnviada, .notificacaoFalhou, .notificacaoLida, .webhookCadastrado, .webhookAlterado,
            .webhookDesativado, .webhookReativado, .webhookRemovido:
            break
        }
        return preferencias
    }

    /// Where the person is told about such a thing. A channel that needs an address which is not known is left out. What they must
    /// be told lies at least in the app.
    /// - Parameter ligados: The channels over which something can be sent.
    package func canais(para tipo: TipoDeAviso, ligados: Set<Canal> = Set(Canal.allCases)) -> [Canal] {
        let escolhidos = escolhas.first { $0.tipo == tipo }?.canais ?? tipo.canaisPadrao
        let possiveis = escolhidos.filter { canal in
            guard ligados.contains(canal) else { return false }
            switch canal {
            case .app, .email: return true
            case .sms: return telefone != nil
            case .push: return dispositivo != nil
            }
        }
        return possiveis.isEmpty && tipo.obrigatorio ? [.app] : possiveis
    }

    /// When a message may go out over a channel. What lies in the app disturbs nobody, nor does mail that is read when it is read:
    /// but both come with a sound, so only the app is exempt.
    ///
    /// - Parameter zona: The zone of `silencio`; not looked at where there is none.
    package func enviarEm(_ canal: Canal, agora: Instante, zona: ZonaHoraria?) -> Instante {
        guard canal != .app, let silencio, let zona else { return agora }
        return silencio.permitido(apartirDe: agora, zona: zona)
    }
}
