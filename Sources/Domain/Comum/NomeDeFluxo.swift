/// The name of a stream in the log. One place makes them, so that no two services spell one differently.
package struct NomeDeFluxo: Hashable, Sendable, Comparable {
    package let texto: String

    /// For names that come back from the log; new names come from the functions below.
    package init(lido texto: String) {
        self.texto = texto
    }

    package static func usuario(_ id: UsuarioID) -> NomeDeFluxo { NomeDeFluxo(lido: "usuario-\(id.texto)") }
    package static func email(_ chave: ChaveDeEmail) -> NomeDeFluxo { NomeDeFluxo(lido: "email-\(chave.texto)") }
    package static func sessao(_ id: SessaoID) -> NomeDeFluxo { NomeDeFluxo(lido: "sessao-\(id.texto)") }
    package static func unidade(_ id: UnidadeID) -> NomeDeFluxo { NomeDeFluxo(lido: "unidade-\(id.texto)") }
    package static func espaco(_ id: EspacoID) -> NomeDeFluxo { NomeDeFluxo(lido: "espaco-\(id.texto)") }
    package static func tarifario(_ unidade: UnidadeID) -> NomeDeFluxo { NomeDeFluxo(lido: "tarifario-\(unidade.texto)") }
    package static func plano(_ id: PlanoID) -> NomeDeFluxo { NomeDeFluxo(lido: "plano-\(id.texto)") }
    package static func reserva(_ id: ReservaID) -> NomeDeFluxo { NomeDeFluxo(lido: "reserva-\(id.texto)") }

    /// One UTC day of a space.
    package static func agenda(_ espaco: EspacoID, _ diaUTC: DataCivil) -> NomeDeFluxo {
        NomeDeFluxo(lido: "agenda-\(espaco.texto)-\(diaUTC.texto)")
    }

    package static func < (a: NomeDeFluxo, b: NomeDeFluxo) -> Bool {
        a.texto < b.texto
    }
}

extension NomeDeFluxo: CustomStringConvertible {
    package var description: String { texto }
}
