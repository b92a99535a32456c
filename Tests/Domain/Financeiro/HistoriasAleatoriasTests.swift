import TestSupport
import Testing

@testable import Domain

/// Whatever happens to bookings and in whatever order: the books are right.
@Suite struct HistoriasAleatoriasTests {
    /// What the accounts hold, on the side on which each grows.
    private struct Balancete {
        var saldos: [ContaContabil: Int64] = [:]
        var diferenca: Int64 = 0

        init(_ lancamentos: some Sequence<LancamentoProposto>) {
            for linha in lancamentos.flatMap(\.partidas.linhas) {
                let centavos = linha.lado == .debito ? linha.valor.centavos : -linha.valor.centavos
                diferenca += centavos
                saldos[linha.conta, default: 0] += linha.conta.grupo.devedor ? centavos : -centavos
            }
        }

        subscript(_ conta: ContaContabil) -> Int64 { saldos[conta, default: 0] }
    }

    /// One booking's life, decided by lot, as the rules would let it happen.
    private struct Vida {
        var diario: Diario
        var sorteio: SeededGenerator
        var agora: Instante
        private(set) var recebido: Int64 = 0
        private(set) var devolvido: Int64 = 0
        /// Refunds that were decided and not carried out.
        private var aDevolver: [Int64] = []
        private var preco: Int64
        private var tentativas = 0

        init(semente: UInt64) throws {
            sorteio = SeededGenerator(seed: semente)
            diario = try Diario()
            agora = try instante("2026-03-01T12:00:00Z")
            preco = Int64.random(in: 0...50_000, using: &sorteio)
            try diario.pedir(preco, "2026-03-31T10:00:00-03:00", "2026-03-31T12:00:00-03:00")
            try viver()
            while !aDevolver.isEmpty { try devolverUma() }
        }

        private mutating func chance(_ uma: Int) -> Bool { Int.random(in: 0..<uma, using: &sorteio) == 0 }

        private mutating func passar() { agora = agora + .minutos(Int.random(in: 1...900, using: &sorteio)) }

        private var liquido: Int64 { recebido - devolvido - aDevolver.reduce(0, +) }

        private mutating func pagar(_ centavos: Int64, quita: Bool = true) throws {
            guard centavos > 0 else { return }
            tentativas += 1
            try diario.pagar(centavos, tentativa: tentativas, quita: quita, em: agora)
            recebido += centavos
        }

        private mutating func devolverUma() throws {
            guard let qual = aDevolver.indices.randomElement(using: &sorteio) else { return }
            passar()
            let centavos = aDevolver.remove(at: qual)
            try diario.estornar(centavos, em: agora)
            devolvido += centavos
        }

        private mutating func pedirDevolucao(_ centavos: Int64) throws {
            guard centavos > 0 else { return }
            try diario.pedirEstorno(centavos, em: agora)
            aDevolver.append(centavos)
        }

        private mutating func viver() throws {
            passar()
            if chance(5) {
                diario.houve(.reservaExpirada(ReservaExpirada(reserva: diario.reserva, expiraEm: agora, em: agora)))
                guard chance(2) else { return }
                passar()
                try pagar(preco)
                guard chance(2) else { return try pedirDevolucao(preco) }
                let retomada = ReservaRetomada(
                    reserva: diario.reserva, espaco: id(100), unidade: id(101), horario: try diario.horario, pagamento: diario.pagamento,
                    em: agora
                )
                diario.houve(.reservaRetomada(retomada))
            } else if !chance(6) {
                try pagar(preco)
            }
            try diario.confirmar(agora.texto)
            for _ in 0..<Int.random(in: 0...3, using: &sorteio) { try mudar() }
            passar()
            if chance(3) {
                let pago = max(0, liquido)
                let valor = Int64.random(in: 0...pago, using: &sorteio)
                diario.cancelar(pago: pago, valor: valor, em: agora)
                try pedirDevolucao(valor)
            } else {
                try diario.concluir(agora.texto)
                if chance(4) { try pedirDevolucao(Int64.random(in: 0...max(0, liquido), using: &sorteio)) }
                if chance(3) { try pagar(Balancete(try diario.lancamentos)[.aReceber]) }
            }
        }

        /// Something that happens to a booking that stands.
        private mutating func mudar() throws {
            passar()
            switch Int.random(in: 0..<4, using: &sorteio) {
            case 0:
                // Paid a second time: goes back
                guard preco > 0 else { return }
                try pagar(preco, quita: false)
                try pedirDevolucao(preco)
            case 1:
                let novo = Int64.random(in: 0...50_000, using: &sorteio)
                try diario.remarcar(novo, em: agora)
                if liquido > novo { try pedirDevolucao(liquido - novo) } else if liquido > 0 { try pagar(novo - liquido) }
                preco = novo
            case 2: try pedirDevolucao(Int64.random(in: 0...max(0, liquido / 3), using: &sorteio))
            default: try devolverUma()
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func theBooksAreRight(_ semente: UInt64) throws {
        var todos: [LancamentoProposto] = []
        var caixa: Int64 = 0
        for numero in 0..<25 as Range<UInt64> {
            let vida = try Vida(semente: semente * 1_000 + numero)
            let lancamentos = try vida.diario.lancamentos
            // Every beginning of the history gives a beginning of the entries, with every account on its side
            for tamanho in vida.diario.fatos.indices {
                let parte = try RazaoDaReserva.lancamentos(de: vida.diario.fatos[...tamanho], zona: vida.diario.zona)
                #expect(parte == Array(lancamentos.prefix(parte.count)))
                let balancete = Balancete(parte)
                #expect(balancete.diferenca == 0)
                #expect(balancete.saldos.allSatisfy { $0.value >= 0 }, "\(semente) \(numero): \(balancete.saldos)")
            }
            #expect(Set(lancamentos.map(\.lancamento)).count == lancamentos.count)
            let balancete = Balancete(lancamentos)
            // When all is settled
            #expect(balancete[.caixa] == vida.recebido - vida.devolvido)
            #expect(balancete[.receitaAntecipada] == 0, "\(semente) \(numero): \(balancete.saldos)")
            #expect(balancete[.receitaDeReservas] - balancete[.estornos] == balancete[.caixa] + balancete[.aReceber])
            caixa += vida.recebido - vida.devolvido
            todos += lancamentos
        }
        let balancete = Balancete(todos)
        #expect(balancete.diferenca == 0)
        #expect(balancete[.caixa] == caixa)
        #expect(Set(todos.map(\.historico)).isSuperset(of: [.recebimento, .usoDaReserva, .taxaDeCancelamento, .estorno]))
    }
}
