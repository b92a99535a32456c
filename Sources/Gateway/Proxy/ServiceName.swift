/// The services whose commands the gateway passes on.
package enum ServiceName: String, Sendable, CaseIterable, Hashable {
    case usuarios
    case espacos
    case reservas
    case precos
    case notificacoes
    case pagamentos
    case checkin
    case analytics
    case financeiro
}
