/// The rules of `notificacoes` that say no.
package enum RecusaDeNotificacoes: Recusa {
    case notificacaoNaoEncontrada
    case webhookNaoEncontrado
    case proibido
    /// The channel is not set up, so nothing could be sent over it.
    case canalDesligado(Canal)
    /// The person has given no address for the channel.
    case semEndereco(Canal)
    case destinatarioNaoEncontrado
    /// What a notice says must be told: it may be had in the app or by mail, but not be turned off.
    case avisoObrigatorio
    case tiposDemais(maximo: Int)
    case webhooksDemais(maximo: Int)

    package var codigo: String {
        switch self {
        case .notificacaoNaoEncontrada: "notification_not_found"
        case .webhookNaoEncontrado: "webhook_not_found"
        case .proibido: "forbidden"
        case .canalDesligado: "channel_unavailable"
        case .semEndereco: "no_address"
        case .destinatarioNaoEncontrado: "recipient_not_found"
        case .avisoObrigatorio: "notice_required"
        case .tiposDemais: "too_many_types"
        case .webhooksDemais: "too_many_webhooks"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .notificacaoNaoEncontrada, .webhookNaoEncontrado, .destinatarioNaoEncontrado: .naoEncontrado
        case .proibido: .proibido
        case .canalDesligado, .semEndereco, .avisoObrigatorio, .tiposDemais, .webhooksDemais: .regra
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .notificacaoNaoEncontrada: idioma.escolher("Notificação não encontrada.", "Notification not found.")
        case .webhookNaoEncontrado: idioma.escolher("Webhook não encontrado.", "Webhook not found.")
        case .proibido: idioma.escolher("Só a equipe pode fazer isto.", "Only staff may do this.")
        case .canalDesligado(let canal):
            idioma.escolher(
                "O canal \(canal.rawValue) não está configurado neste sistema.",
                "The channel \(canal.rawValue) is not set up in this system."
            )
        case .semEndereco(let canal):
            idioma.escolher(
                "A pessoa não informou um endereço para o canal \(canal.rawValue).",
                "The person has given no address for the channel \(canal.rawValue)."
            )
        case .destinatarioNaoEncontrado: idioma.escolher("Destinatário não encontrado.", "Recipient not found.")
        case .avisoObrigatorio:
            idioma.escolher(
                "Avisos do que se deve, paga, recebe de volta ou assina não podem ser desligados: escolha ao menos o app ou o e-mail.",
                "Notices of what is owed, paid, given back or subscribed to cannot be turned off: choose at least the app or e-mail."
            )
        case .tiposDemais(let maximo):
            idioma.escolher("Escolha de 1 a \(maximo) tipos de evento.", "Choose between 1 and \(maximo) types of event.")
        case .webhooksDemais(let maximo): idioma.escolher("Já há \(maximo) webhooks.", "There are \(maximo) webhooks already.")
        }
    }
}
