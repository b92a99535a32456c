import Domain
import TestSupport
import Testing

@Suite struct CarteiraTests {
    let ana: UsuarioID = id(1)
    let comeco = Instante(segundos: 1_772_366_400)

    private func lote(_ numero: UInt64, _ valor: Int, expira horas: Int?) throws -> EventoDePrecos {
        .creditosConcedidos(
            CreditosConcedidos(
                usuario: ana,
                lote: id(numero),
                minutos: try minutos(valor),
                expiraEm: horas.map { comeco + .horas($0) },
                origem: .equipe,
                em: comeco
            )
        )
    }

    private func lotes(_ decididos: [EventosDoFluxo]) -> [[UInt64: Int]] {
        decididos.flatMap(\.eventos).compactMap { evento in
            switch evento {
            case .precos(.creditosConsumidos(let consumo)): somas(consumo.lotes)
            case .precos(.creditosDevolvidos(let devolucao)): somas(devolucao.lotes)
            case .precos, .usuarios, .espacos, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: nil
            }
        }
    }

    private func somas(_ lotes: [ParcelaDeLote]) -> [UInt64: Int] {
        Dictionary(uniqueKeysWithValues: lotes.map { ($0.lote.baixo & 0xFFFF, $0.minutos.valor) })
    }

    /// Hours of one seat at R$ 60, all of which credits may pay.
    private func reservar(_ cenario: inout Cenario, _ numero: UInt64, horas: Int) throws -> [EventosDoFluxo] {
        let inicio = comeco + .horas(24 * Int(numero))
        return try cenario.reservar(id(numero), try #require(Intervalo(inicio: inicio, fim: inicio + .horas(horas))), agora: comeco)
    }

    @Test func whatExpiresFirstGoesFirstAndWhatNeverExpiresLast() throws {
        var cenario = try Cenario()
        for evento in [
            try lote(10, 60, expira: nil), try lote(11, 60, expira: 900), try lote(12, 60, expira: 800), try lote(13, 60, expira: 900),
        ] {
            cenario.registrar(.assinatura(ana), .precos(evento))
        }
        #expect(lotes(try reservar(&cenario, 1, horas: 2)) == [[12: 60, 11: 60]])
        #expect(lotes(try reservar(&cenario, 2, horas: 2)) == [[13: 60, 10: 60]])
        #expect(lotes(try reservar(&cenario, 3, horas: 2)).isEmpty)
    }

    @Test func whatIsGivenBackGoesToItsLotAndExpiresAsBefore() throws {
        var cenario = try Cenario()
        cenario.registrar(.assinatura(ana), .precos(try lote(10, 60, expira: 2)))
        cenario.registrar(.assinatura(ana), .precos(try lote(11, 90, expira: 90)))
        #expect(lotes(try reservar(&cenario, 1, horas: 2)) == [[10: 60, 11: 60]])

        let devolvidos = try cenario.cancelar(id(1), ator: cenario.ana, agora: comeco + .horas(3))

        // Confirmed at once, and given up with less than a day's notice: half comes back, to what expires last.
        #expect(lotes(devolvidos) == [[11: 60]])
        let carteira = (cenario.estado(.assinatura(ana)) as Assinatura).carteira
        #expect(carteira.lotes.map(\.restantes) == [0, 90])
        #expect(carteira.saldo(em: comeco + .horas(3)) == 90)
        #expect(carteira.saldo(em: comeco + .horas(90)) == 0)
    }

    /// Random histories of grants, bookings, moves, cancellations and expiries: no lot ever has less than nothing or more than it
    /// was granted, and what was granted is what is left plus what bookings use.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func theBalanceIsNeverNegative(semente: UInt64) throws {
        var sorteio = SeededGenerator(seed: semente)
        var cenario = try Cenario(lugares: 50)
        var agora = comeco
        var abertas: [ReservaID] = []
        for passo in 0..<150 {
            agora = agora + .minutos(Int.random(in: 0...600, using: &sorteio))
            switch Int.random(in: 0..<10, using: &sorteio) {
            case 0...1:
                let evento = CreditosConcedidos(
                    usuario: ana,
                    lote: id(UInt64(1_000 + passo)),
                    minutos: try minutos(Int.random(in: 1...400, using: &sorteio)),
                    expiraEm: Bool.random(using: &sorteio) ? agora + .horas(Int.random(in: 1...500, using: &sorteio)) : nil,
                    origem: .equipe,
                    em: agora
                )
                cenario.registrar(.assinatura(ana), .precos(.creditosConcedidos(evento)))
            case 2...5:
                let reserva: ReservaID = id(UInt64(10_000 + passo))
                _ = try? cenario.reservar(reserva, sortear(depoisDe: agora, &sorteio), agora: agora)
                abertas.append(reserva)
            case 6:
                guard let reserva = abertas.randomElement(using: &sorteio) else { continue }
                _ = try? cenario.remarcar(reserva, sortear(depoisDe: agora, &sorteio), ator: cenario.recepcao, agora: agora)
            case 7:
                guard let reserva = abertas.randomElement(using: &sorteio) else { continue }
                _ = try? cenario.expirar(reserva, agora: agora)
            default:
                guard let reserva = abertas.randomElement(using: &sorteio) else { continue }
                _ = try? cenario.cancelar(reserva, ator: cenario.ana, agora: agora)
            }
            let carteira = (cenario.estado(.assinatura(ana)) as Assinatura).carteira
            #expect(carteira.lotes.allSatisfy { (0...$0.concedidos.valor).contains($0.restantes) })
            #expect(carteira.saldo(em: agora) >= 0)
            for reserva in abertas {
                let estado: Reserva = cenario.estado(.reserva(reserva))
                switch estado {
                case .pendente(let dados, _), .confirmada(let dados):
                    #expect(carteira.usados(por: reserva) == dados.cotacao.creditos?.valor ?? 0)
                case .expirada: #expect(carteira.usados(por: reserva) == 0)
                case .inexistente, .cancelada, .concluida, .ausente: break
                }
            }
            let usados = abertas.reduce(0) { $0 + carteira.usados(por: $1) }
            #expect(carteira.lotes.reduce(0) { $0 + $1.concedidos.valor - $1.restantes } == usados)
        }
        #expect(cenario.log[.assinatura(ana), default: []].count > 50)
    }

    private func sortear(depoisDe agora: Instante, _ sorteio: inout SeededGenerator) throws -> Intervalo {
        let hora = Duracao.horas(1).microssegundos
        let base = Instante(microssegundos: (agora.microssegundos / hora + 1) * hora) + .horas(Int.random(in: 1...200, using: &sorteio))
        return try #require(Intervalo(inicio: base, fim: base + .minutos(30 * Int.random(in: 2...8, using: &sorteio))))
    }
}
