import Domain
import Testing

/// Displays at doors.
@Suite struct PainelTests {
    private let agora = Instante(segundos: 1_772_452_800)

    private func ator(_ papel: Papel) -> Ator { Ator(usuario: id(1), papel: papel) }

    private func autorizar(_ papel: Papel, _ estado: Painel = .inexistente) throws -> [EventosDoFluxo] {
        try AutorizarPainel(painel: id(9), espaco: id(2), unidade: id(4), ator: ator(papel), agora: agora).decidir(painel: estado)
    }

    private func revogar(_ papel: Papel, _ estado: Painel, espaco: UInt64 = 2) throws -> [EventosDoFluxo] {
        try RevogarPainel(painel: id(9), espaco: id(espaco), unidade: id(4), ator: ator(papel), agora: agora).decidir(painel: estado)
    }

    @Test("Management sets one up for ninety days and takes it back, once")
    func vida() throws {
        let autorizado = try autorizar(.gestor)
        #expect(autorizado.map(\.fluxo) == [.painel(id(9))])
        let eventos = try gravados(autorizado)
        let painel = Painel.dobrar(eventos)
        #expect(painel.autorizacao?.venceEm == agora + .horas(24 * 90))
        #expect(try autorizar(.gestor, painel).isEmpty)
        let revogado = try gravados(revogar(.gestor, painel))
        #expect(revogado.count == 1)
        let depois = Painel.dobrar(eventos + revogado)
        #expect(try revogar(.admin, depois).isEmpty)
        #expect(try autorizar(.gestor, depois).isEmpty)
    }

    @Test("Nobody else does, and not at another door")
    func recusas() throws {
        let painel = Painel.dobrar(try gravados(autorizar(.gestor)))
        for papel in [Papel.membro, .recepcao] {
            #expect(throws: RecusaDeCheckin.soEquipe) { try autorizar(papel) }
            #expect(throws: RecusaDeCheckin.soEquipe) { try revogar(papel, painel) }
        }
        #expect(throws: RecusaDeCheckin.painelNaoEncontrado) { try revogar(.gestor, painel, espaco: 3) }
        #expect(throws: RecusaDeCheckin.painelNaoEncontrado) { try revogar(.gestor, .inexistente) }
    }
}
