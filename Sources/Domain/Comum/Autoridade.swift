/// On whose authority the business is changed: accounts of other people, spaces, prices.
package enum Autoridade: Hashable, Sendable {
    /// Whoever holds the machine's command line.
    case linhaDeComando
    case ator(Ator)

    var administra: Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): ator.papel >= .admin
        }
    }

    var opera: Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): ator.opera
        }
    }

    func opera(em unidade: UnidadeID) -> Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): ator.opera(em: unidade)
        }
    }

    var gere: Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): ator.papel >= .gestor
        }
    }

    func gere(em unidade: UnidadeID) -> Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): ator.papel(em: unidade) >= .gestor
        }
    }

    /// Whether they stand for the whole business, not for some of its units.
    var respondePorTudo: Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): ator.operaEmTodas
        }
    }

    /// Who is recorded; nobody for the command line.
    var usuario: UsuarioID? {
        switch self {
        case .linhaDeComando: nil
        case .ator(let ator): ator.usuario
        }
    }
}
