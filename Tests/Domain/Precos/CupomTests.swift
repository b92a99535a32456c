import Domain
import Testing

@Suite struct CupomTests {
    let gestor = Autoridade.ator(Ator(usuario: id(9), papel: .gestor))
    let agora = Instante(segundos: 1_772_366_400)
    let sala: EspacoID = id(2)

    private func codigo(_ texto: String = "BEMVINDO10") throws -> CodigoDoCupom { try #require(CodigoDoCupom(texto)) }

    private func cupom(_ termos: TermosDoCupom) throws -> Cupom {
        let comando = CriarCupom(codigo: try codigo(), termos: termos, por: gestor, agora: agora)
        return Cupom.dobrar(try gravados(comando.decidir(cupom: .inicial)))
    }

    private func usado(_ cupom: Cupom, _ reserva: UInt64, por usuario: UInt64) throws -> Cupom {
        cupom.evoluindo(
            com: .cupomUsado(
                CupomUsado(codigo: try codigo(), reserva: id(reserva), usuario: id(usuario), desconto: reais(1), em: agora)
            )
        )
    }

    private func aplicar(_ cupom: Cupom, hoje: String = "2026-03-10", usuario: UsuarioID? = id(1)) throws -> CupomAplicavel {
        try cupom.aplicavel(codigo: codigo(), espaco: sala, tipo: .salaDeReuniao, usuario: usuario, hoje: data(hoje))
    }

    @Test(arguments: [("bemvindo-10", "BEMVINDO-10"), ("X_1", "X_1"), ("2026", "2026")])
    func aCodeIsWrittenInCapitals(texto: String, lido: String) {
        #expect(CodigoDoCupom(texto)?.texto == lido)
    }

    @Test(arguments: ["", "AB", "-ABC", "AÇÃO", "A B C", String(repeating: "A", count: 41)])
    func otherTextsAreNoCodes(texto: String) {
        #expect(CodigoDoCupom(texto) == nil)
    }

    @Test func onlyManagementMakesCouponsAndOnlyOnce() throws {
        let termos = TermosDoCupom(desconto: .percentual(try percentual(10)), limiteDeUsos: 5)
        let existente = try cupom(termos)
        let comando = CriarCupom(codigo: try codigo(), termos: termos, por: gestor, agora: agora)
        #expect(try comando.decidir(cupom: existente) == [])
        let outros = TermosDoCupom(desconto: .percentual(try percentual(20)), limiteDeUsos: 5)
        #expect(throws: RecusaDePrecos.cupomJaExiste(try codigo())) {
            try CriarCupom(codigo: try codigo(), termos: outros, por: gestor, agora: agora).decidir(cupom: existente)
        }
        let recepcao = Autoridade.ator(Ator(usuario: id(3), papel: .recepcao))
        #expect(throws: RecusaDePrecos.soGestor) {
            try CriarCupom(codigo: try codigo(), termos: termos, por: recepcao, agora: agora).decidir(cupom: .inicial)
        }
        #expect(throws: RecusaDePrecos.soGestor) {
            try DesativarCupom(codigo: try codigo(), por: recepcao, agora: agora).decidir(cupom: existente)
        }
    }

    @Test func termsThatMakeNoSenseAreRefused() throws {
        let dez = DescontoDoCupom.percentual(try percentual(10))
        let casos: [(TermosDoCupom, RecusaDePrecos.Campo)] = [
            (TermosDoCupom(desconto: .percentual(.zero), limiteDeUsos: 1), .percentual),
            (TermosDoCupom(desconto: .valor(.zero), limiteDeUsos: 1), .valor),
            (TermosDoCupom(desconto: .valor(reais(-1)), limiteDeUsos: 1), .valor),
            (TermosDoCupom(desconto: dez, limiteDeUsos: 0), .limiteDeUsos),
            (TermosDoCupom(desconto: dez, limiteDeUsos: 10_001), .limiteDeUsos),
            (TermosDoCupom(desconto: dez, limiteDeUsos: 2, limitePorMembro: 3), .limitePorMembro),
            (TermosDoCupom(desconto: dez, limiteDeUsos: 2, valorMinimo: reais(-1)), .valorMinimo),
            (
                TermosDoCupom(desconto: dez, validoDe: try data("2026-03-02"), validoAte: try data("2026-03-01"), limiteDeUsos: 1),
                .validoAte
            ),
        ]
        for (termos, campo) in casos {
            #expect(throws: RecusaDePrecos.campoInvalido(campo)) {
                try CriarCupom(codigo: try codigo(), termos: termos, por: gestor, agora: agora).decidir(cupom: .inicial)
            }
        }
    }

    @Test func aCouponIsForItsDatesBothIncluded() throws {
        let cupom = try cupom(
            TermosDoCupom(
                desconto: .valor(reais(100)),
                validoDe: try data("2026-03-05"),
                validoAte: try data("2026-03-10"),
                limiteDeUsos: 5
            )
        )
        #expect(throws: RecusaDePrecos.cupomAindaNaoVale(desde: try data("2026-03-05"))) { try aplicar(cupom, hoje: "2026-03-04") }
        _ = try aplicar(cupom, hoje: "2026-03-05")
        _ = try aplicar(cupom, hoje: "2026-03-10")
        #expect(throws: RecusaDePrecos.cupomVencido(ate: try data("2026-03-10"))) { try aplicar(cupom, hoje: "2026-03-11") }
    }

    @Test func aCouponIsForItsSpacesAndTypes() throws {
        let dez = DescontoDoCupom.percentual(try percentual(10))
        _ = try aplicar(try cupom(TermosDoCupom(desconto: dez, limiteDeUsos: 5, espacos: [sala])))
        _ = try aplicar(try cupom(TermosDoCupom(desconto: dez, limiteDeUsos: 5, espacos: [id(77)], tipos: [.salaDeReuniao])))
        for termos in [
            TermosDoCupom(desconto: dez, limiteDeUsos: 5, espacos: [id(77)]),
            TermosDoCupom(desconto: dez, limiteDeUsos: 5, tipos: [.cabine]),
        ] {
            #expect(throws: RecusaDePrecos.cupomDeOutroEspaco) { try aplicar(try cupom(termos)) }
        }
    }

    @Test func usesCountUntilTheyAreGivenBack() throws {
        var cupom = try cupom(
            TermosDoCupom(desconto: .percentual(.todo), limiteDeUsos: 2, limitePorMembro: 1)
        )
        cupom = try usado(cupom, 50, por: 1)
        #expect(throws: RecusaDePrecos.cupomJaUsado(vezes: 1)) { try aplicar(cupom, usuario: id(1)) }
        _ = try aplicar(cupom, usuario: id(2))
        _ = try aplicar(cupom, usuario: nil)
        cupom = try usado(cupom, 51, por: 2)
        #expect(throws: RecusaDePrecos.cupomEsgotado) { try aplicar(cupom, usuario: id(3)) }
        let devolucao = CupomDevolvido(codigo: try codigo(), reserva: id(50), usuario: id(1), desconto: reais(1), em: agora)
        cupom = cupom.evoluindo(com: .cupomDevolvido(devolucao))
        _ = try aplicar(cupom, usuario: id(1))
    }

    @Test func aCouponThatAsManyHaveAsMayHaveItIsUsedUpUntilOneGivesItBack() throws {
        let criacao = CriarCupom(
            codigo: try codigo(), termos: TermosDoCupom(desconto: .percentual(.metade), limiteDeUsos: 10_000), por: gestor, agora: agora
        )
        var eventos = try gravados(criacao.decidir(cupom: .inicial))
        for reserva in 1...10_000 as ClosedRange<UInt64> {
            let uso = CupomUsado(codigo: try codigo(), reserva: id(reserva), usuario: id(1), desconto: reais(1), em: agora)
            eventos.append(.precos(.cupomUsado(uso)))
        }
        #expect(throws: RecusaDePrecos.cupomEsgotado) { try aplicar(.dobrar(eventos)) }
        let devolucao = CupomDevolvido(codigo: try codigo(), reserva: id(7), usuario: id(1), desconto: reais(1), em: agora)
        eventos.append(.precos(.cupomDevolvido(devolucao)))
        _ = try aplicar(.dobrar(eventos))
    }

    /// Counts what it was folded from, and how often somebody else held it too.
    private struct Contagem: EstadoDeFluxo {
        private final class Posse: Sendable {}

        static var inicial: Self { Self() }

        private var posse = Posse()
        private(set) var eventos = 0
        private(set) var copias = 0

        consuming func evoluindo(com evento: EventoDePrecos) -> Self {
            eventos += 1
            if !isKnownUniquelyReferenced(&posse) { copias += 1 }
            return self
        }

        static func == (a: Self, b: Self) -> Bool { (a.eventos, a.copias) == (b.eventos, b.copias) }
    }

    @Test func aFoldHandsItsStateOver() throws {
        let uso = CupomUsado(codigo: try codigo(), reserva: id(50), usuario: id(1), desconto: reais(1), em: agora)
        let contagem = Contagem.dobrar(Array(repeating: EventoDoDominio.precos(.cupomUsado(uso)), count: 5))
        #expect(contagem.eventos == 5)
        #expect(contagem.copias == 0)
    }

    @Test func aDeactivatedCouponTakesNoMoreBookings() throws {
        let ativo = try cupom(TermosDoCupom(desconto: .percentual(.metade), limiteDeUsos: 2))
        let comando = DesativarCupom(codigo: try codigo(), por: gestor, agora: agora)
        let desativado = try gravados(comando.decidir(cupom: ativo)).reduce(ativo) { $0.evoluindo(com: $1) }
        #expect(throws: RecusaDePrecos.cupomDesativado) { try aplicar(desativado) }
        #expect(try comando.decidir(cupom: desativado) == [])
        #expect(throws: RecusaDePrecos.cupomInexistente(try codigo())) { try comando.decidir(cupom: .inicial) }
        #expect(throws: RecusaDePrecos.cupomInexistente(try codigo())) { try aplicar(.inicial) }
    }

    @Test func everyRefusalHasACodeOfItsOwnAndASentenceInBothLanguages() throws {
        let recusas: [RecusaDePrecos] = [
            .cupomInexistente(try codigo()), .cupomJaExiste(try codigo()), .cupomDesativado,
            .cupomAindaNaoVale(desde: try data("2026-03-05")), .cupomVencido(ate: try data("2026-03-05")), .cupomDeOutroEspaco,
            .cupomEsgotado, .cupomJaUsado(vezes: 2), .cupomAbaixoDoMinimo(reais(100)), .creditosInsuficientes, .planoSemAssinatura,
            .jaAssina(plano: .premium, ate: nil), .semAssinatura, .soEquipe,
        ]
        #expect(Set(recusas.map(\.codigo)).count == recusas.count)
        for recusa in recusas {
            #expect(recusa.frase(em: .portugues) != recusa.frase(em: .ingles))
        }
    }
}
