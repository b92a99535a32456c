/// On whose authority the business is changed: accounts of other people, spaces, prices.
package enum Autoridade: Hashable, Sendable {
    /// Whoever holds the machine's command line.
    case linhaDeComando
    case ator(Ator)

    /// What holds of the person; whoever holds the command line may everything.
    private func vale(_ condicao: (Ator) -> Bool) -> Bool {
        switch self {
        case .linhaDeComando: true
        case .ator(let ator): condicao(ator)
        }
    }

    var administra: Bool { vale { $0.papel >= .admin } }

    var opera: Bool { vale(\.opera) }

    func opera(em unidade: UnidadeID) -> Bool { vale { $0.opera(em: unidade) } }

    var gere: Bool { vale { $0.papel >= .gestor } }

    func gere(em unidade: UnidadeID) -> Bool { vale { $0.papel(em: unidade) >= .gestor } }

    /// Whether they stand for the whole business, not for some of its units.
    var respondePorTudo: Bool { vale(\.operaEmTodas) }

    /// Who is recorded; nobody for the command line.
    var usuario: UsuarioID? {
        switch self {
        case .linhaDeComando: nil
        case .ator(let ator): ator.usuario
        }
    }
}
