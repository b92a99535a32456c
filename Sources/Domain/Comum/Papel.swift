/// What a person may do. Ordered: a wider role includes the narrower.
package enum Papel: String, CaseIterable, Sendable, Codable, Comparable {
    case membro
    case recepcao
    case gestor
    case admin

    private var alcance: Int {
        switch self {
        case .membro: 0
        case .recepcao: 1
        case .gestor: 2
        case .admin: 3
        }
    }

    package static func < (a: Papel, b: Papel) -> Bool {
        a.alcance < b.alcance
    }
}

/// Who gives a command: an authenticated person and the role they have at that moment.
package struct Ator: Hashable, Sendable {
    package let usuario: UsuarioID
    package let papel: Papel

    package init(usuario: UsuarioID, papel: Papel) {
        self.usuario = usuario
        self.papel = papel
    }

    /// Works at the desk or above: may act for members.
    package var opera: Bool { papel >= .recepcao }
}
