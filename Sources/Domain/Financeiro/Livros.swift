/// The year that books are of: 2000 to 2199.
package struct AnoDosLivros: Hashable, Sendable, Comparable, Codable {
    package static let anos = 2000...2199
    private static let inicioDaChave = "fiscal-"

    package let ano: Int

    /// `nil` for a year of which no books are kept here.
    package init?(_ ano: Int) {
        guard Self.anos.contains(ano) else { return nil }
        self.ano = ano
    }

    /// Reads what `chave` says; `nil` for any other subject of a key.
    package init?(chave: String) {
        guard chave.hasPrefix(Self.inicioDaChave), let ano = Int(chave.dropFirst(Self.inicioDaChave.count)) else { return nil }
        self.init(ano)
    }

    /// The subject of the key under which is sealed what explains the entries of the year.
    package var chave: String { "\(Self.inicioDaChave)\(ano)" }

    package static func < (a: AnoDosLivros, b: AnoDosLivros) -> Bool {
        a.ano < b.ano
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let ano = AnoDosLivros(try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a year of books")
        }
        self = ano
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ano)
    }
}

extension AnoDosLivros: CustomStringConvertible {
    package var description: String { String(ano) }
}

/// For how long the books of a year explain themselves.
///
/// The law wants books and vouchers kept until the taxes they are about are time-barred (Código Tributário Nacional, art. 195, sole
/// paragraph): five years, counted from the first day of the year after (art. 173, I). Whoever is being audited or sued keeps them longer.
package struct PrazoDosLivros: Hashable, Sendable {
    package static let legal = PrazoDosLivros()
    package static let anosPermitidos = 5...100

    /// Whole years after the year itself.
    package let anos: Int

    private init() {
        anos = Self.anosPermitidos.lowerBound
    }

    /// `nil` for less than the law asks, or more than a hundred years.
    package init?(anos: Int) {
        guard Self.anosPermitidos.contains(anos) else { return nil }
        self.anos = anos
    }

    /// When the term is over on every clock of the world.
    package func fim(de ano: AnoDosLivros) -> Instante {
        guard let dezembro = MesCivil(ano: ano.ano + anos, mes: 12) else { preconditionFailure("years of books have four digits") }
        return dezembro.fimEmTodaParte
    }
}

/// What is known of the books of a year: the stream `livros-{yyyy}`.
package enum LivrosDoAno: EstadoDeFluxo {
    /// Kept until then; where nothing says so, until the law's term is over.
    case guardados(ate: Instante?)
    /// What explained the entries is gone. The entries are there for ever.
    case encerrados

    package static let inicial = LivrosDoAno.guardados(ate: nil)

    package func evoluindo(com evento: EventoDeFinanceiro) -> LivrosDoAno {
        switch evento {
        case .prazoDosLivrosProrrogado(let prorrogacao): self == .encerrados ? self : .guardados(ate: prorrogacao.ate)
        case .prazoDosLivrosEncerrado: .encerrados
        case .lancamentoRegistrado, .periodoFechado, .despesaRegistrada, .despesaEstornada: self
        }
    }

    /// Whether a text may still be added that explains an entry of the year. Past the term it would be deleted at once.
    ///
    /// The decision that adds it must have loaded this stream, so that the recorder refuses it where the term ended meanwhile.
    package func aceitarTexto(de ano: AnoDosLivros, prazo: PrazoDosLivros, agora: Instante) throws(RecusaDeFinanceiro) {
        guard case .guardados(let ate) = self, agora < max(ate ?? prazo.fim(de: ano), prazo.fim(de: ano)) else {
            throw .livrosAlemDoPrazo(ano)
        }
    }
}
