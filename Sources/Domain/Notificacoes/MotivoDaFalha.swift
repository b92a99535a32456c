/// Why something was not delivered. Stored as its name.
package enum MotivoDaFalha: String, Sendable, Codable, CaseIterable {
    /// Whoever was to carry or to get it refused it for good.
    case recusada
    /// Nobody took it for as long as it was of use.
    case prazoEsgotado = "prazo_esgotado"
    /// There is no address any more to send it to.
    case semEndereco = "sem_endereco"
    /// The person was erased.
    case destinatarioApagado = "destinatario_apagado"
    /// Nothing is configured that could carry it.
    case canalDesligado = "canal_desligado"
}
