/// Why a session ended.
package enum MotivoDeRevogacao: String, CaseIterable, Sendable, Codable {
    case saida
    /// A refresh token was presented twice: one of the two holders stole it.
    case reusoDeToken = "reuso_de_token"
    case trocaDeSenha = "troca_de_senha"
    case bloqueio
    /// The person was erased.
    case apagamento
}
