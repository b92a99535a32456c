/// The name of a stream in the log. One place makes them, so that no two services spell one differently.
package struct NomeDeFluxo: Hashable, Sendable, Comparable {
    package let texto: String

    /// For names that come back from the log; new names come from the functions below.
    package init(lido texto: String) {
        self.texto = texto
    }

    /// What the names of all streams of accounts begin with.
    package static let inicioDeUsuario = "usuario-"

    package static func usuario(_ id: UsuarioID) -> NomeDeFluxo { NomeDeFluxo(lido: "usuario-\(id.texto)") }
    package static func email(_ chave: ChaveDeEmail) -> NomeDeFluxo { NomeDeFluxo(lido: "email-\(chave.texto)") }
    package static func sessao(_ id: SessaoID) -> NomeDeFluxo { NomeDeFluxo(lido: "sessao-\(id.texto)") }
    package static func unidade(_ id: UnidadeID) -> NomeDeFluxo { NomeDeFluxo(lido: "unidade-\(id.texto)") }
    package static func espaco(_ id: EspacoID) -> NomeDeFluxo { NomeDeFluxo(lido: "espaco-\(id.texto)") }
    package static func tarifario(_ unidade: UnidadeID) -> NomeDeFluxo { NomeDeFluxo(lido: "tarifario-\(unidade.texto)") }
    package static func plano(_ id: PlanoID) -> NomeDeFluxo { NomeDeFluxo(lido: "plano-\(id.texto)") }
    package static func cupom(_ codigo: CodigoDoCupom) -> NomeDeFluxo { NomeDeFluxo(lido: "cupom-\(codigo.texto)") }
    package static func assinatura(_ usuario: UsuarioID) -> NomeDeFluxo { NomeDeFluxo(lido: "assinatura-\(usuario.texto)") }
    package static func reserva(_ id: ReservaID) -> NomeDeFluxo { NomeDeFluxo(lido: "reserva-\(id.texto)") }
    package static func pagamento(_ id: PagamentoID) -> NomeDeFluxo { NomeDeFluxo(lido: "pagamento-\(id.texto)") }

    /// A display at a door.
    package static func painel(_ id: CodigoID) -> NomeDeFluxo { NomeDeFluxo(lido: "painel-\(id.texto)") }
    package static func presenca(_ id: ReservaID) -> NomeDeFluxo { NomeDeFluxo(lido: "presenca-\(id.texto)") }

    /// One local day of a unit.
    package static func ocupacao(_ unidade: UnidadeID, _ dia: DataCivil) -> NomeDeFluxo {
        NomeDeFluxo(lido: "ocupacao-\(unidade.texto)-\(dia.texto)")
    }

    /// What the names of all streams of spaces begin with.
    package static let inicioDeEspaco = "espaco-"

    /// One UTC day of a space.
    package static func agenda(_ espaco: EspacoID, _ diaUTC: DataCivil) -> NomeDeFluxo {
        NomeDeFluxo(lido: inicioDaAgenda(espaco) + diaUTC.texto)
    }

    /// What the names of all days of a space begin with; the day follows.
    package static func inicioDaAgenda(_ espaco: EspacoID) -> String { "agenda-\(espaco.texto)-" }

    package static func notificacao(_ id: NotificacaoID) -> NomeDeFluxo { NomeDeFluxo(lido: "notificacao-\(id.texto)") }
    package static func preferencias(_ usuario: UsuarioID) -> NomeDeFluxo { NomeDeFluxo(lido: "preferencias-\(usuario.texto)") }
    package static func webhook(_ id: WebhookID) -> NomeDeFluxo { NomeDeFluxo(lido: "webhook-\(id.texto)") }
    package static func serie(_ id: SerieID) -> NomeDeFluxo { NomeDeFluxo(lido: "serie-\(id.texto)") }

    /// Who waits for spans of a space that begin on one UTC day.
    package static func espera(_ espaco: EspacoID, _ diaUTC: DataCivil) -> NomeDeFluxo {
        NomeDeFluxo(lido: inicioDaEspera(espaco) + diaUTC.texto)
    }

    /// What the names of all lines of a space begin with; the day follows.
    package static func inicioDaEspera(_ espaco: EspacoID) -> String { "espera-\(espaco.texto)-" }

    package static func lancamento(_ id: LancamentoID) -> NomeDeFluxo { NomeDeFluxo(lido: "lancamento-\(id.texto)") }
    package static func periodo(_ mes: MesCivil) -> NomeDeFluxo { NomeDeFluxo(lido: "periodo-\(mes.texto)") }
    package static func livros(_ ano: AnoDosLivros) -> NomeDeFluxo { NomeDeFluxo(lido: "livros-\(ano)") }
    package static func despesa(_ id: DespesaID) -> NomeDeFluxo { NomeDeFluxo(lido: "despesa-\(id.texto)") }

    package static func < (a: NomeDeFluxo, b: NomeDeFluxo) -> Bool {
        a.texto < b.texto
    }
}

extension NomeDeFluxo: CustomStringConvertible {
    package var description: String { texto }
}
