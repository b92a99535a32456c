/// How an account came to be.
package enum OrigemDoCadastro: String, Sendable, Codable {
    /// The person signed up, which makes a member whatever the request says.
    case proprio
    /// Made at the command line, as the first administrator is.
    case linhaDeComando = "linha_de_comando"
}
