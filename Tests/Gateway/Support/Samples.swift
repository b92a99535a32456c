import Domain

/// Things of the domain, made short.
enum Samples {
    /// A sample that the domain does not admit: a mistake of the test.
    struct Impossible: Error {}

    static func id<Marca>(_ number: Int) -> Identificador<Marca> {
        Identificador(alto: 0x0189_0A5D_AC96_7000, baixo: 0x8000_0000_0000_0000 | UInt64(number))
    }

    /// Hours after 2026-03-02 12:00 UTC, when the tests' clock stands.
    static func time(_ hours: Int) -> Instante {
        Instante(microssegundos: TestClock.start) + .horas(hours)
    }

    static func interval(_ from: Int, _ to: Int) throws -> Intervalo {
        guard let interval = Intervalo(inicio: time(from), fim: time(to)) else { throw Impossible() }
        return interval
    }

    static func card(_ name: String, type: TipoDeEspaco = .salaDeReuniao, capacity: Int = 8, amenities: [String] = []) -> FichaDoEspaco {
        FichaDoEspaco(nome: name, tipo: type, capacidade: capacity, lugares: 1, comodidades: amenities, descricao: "")
    }

    static func quote(_ cents: Int64, over interval: Intervalo) -> Cotacao {
        let line = LinhaDeTempo(
            dia: interval.inicio.diaUTC,
            intervalo: interval,
            lugares: 1,
            valorHora: Dinheiro(centavos: cents),
            milesimos: 1000,
            valor: Dinheiro(centavos: cents)
        )
        return Cotacao(
            tarifarioVersao: VersaoDeRegra(1),
            plano: .basic,
            planoVersao: VersaoDeRegra(1),
            linhas: [.tempo(line)],
            total: Dinheiro(centavos: cents)
        )
    }
}
