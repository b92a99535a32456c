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

    /// Whether whoever has it works for units: members work for none, administrators for all.
    package var temUnidades: Bool {
        switch self {
        case .membro, .admin: false
        case .recepcao, .gestor: true
        }
    }
}

/// Who gives a command: an authenticated person, the role they have at that moment, and the units they have it in.
package struct Ator: Hashable, Sendable {
    package let usuario: UsuarioID
    package let papel: Papel
    /// Nil for all units there are or will be.
    package let unidades: Set<UnidadeID>?

    package init(usuario: UsuarioID, papel: Papel, unidades: Set<UnidadeID>? = nil) {
        self.usuario = usuario
        self.papel = papel
        self.unidades = unidades
    }

    /// Works at the desk or above, of some unit at least. Enough for what belongs to members or to the whole business; whatever belongs
    /// to a unit asks for `opera(em:)`.
    package var opera: Bool { papel >= .recepcao }

    /// Works for every unit, and so may see and do what cannot be told apart by unit.
    package var operaEmTodas: Bool { opera && unidades == nil }

    /// The role they have in a unit: a member's where they do not work.
    package func papel(em unidade: UnidadeID) -> Papel {
        if let unidades, !unidades.contains(unidade) { return .membro }
        return papel
    }

    /// Works at the desk of this unit or above: may act there for members.
    package func opera(em unidade: UnidadeID) -> Bool { papel(em: unidade) >= .recepcao }

    /// Acts for members in what belongs to this unit. What is a member's and no unit's, as the fee of a plan is, is everybody's at a desk.
    package func atende(_ unidade: UnidadeID?) -> Bool { unidade.map { opera(em: $0) } ?? opera }

    /// Whether what is a member's exists as far as this person is concerned: their own, or what they act for members in.
    package func alcanca(_ dono: UsuarioID, em unidade: UnidadeID?) -> Bool { usuario == dono || atende(unidade) }

    /// Whether everything that somebody else may do, this one may as well.
    func cobre(_ outro: Ator) -> Bool {
        guard papel >= outro.papel else { return false }
        guard outro.opera, let unidades else { return true }
        return outro.unidades?.isSubset(of: unidades) ?? false
    }

    /// Answers for the money of this unit. What belongs to no unit belongs to the whole business.
    package func responde(por unidade: UnidadeID?) -> Bool { unidade.map { opera(em: $0) } ?? operaEmTodas }
}
