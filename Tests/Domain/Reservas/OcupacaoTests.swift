import Domain
import TestSupport
import Testing

/// Thousands of random commands against the simplest possible oracle: a list of accepted bookings, looked at minute by minute.
@Suite struct OcupacaoTests {
    private struct Aceita {
        let ocupacao: Intervalo
        let lugares: Int
    }

    private struct Caso: CustomTestStringConvertible, Sendable {
        let lugares: Int
        let antes: Int
        let depois: Int
        let fuso: String
        let comeco: String

        var testDescription: String { "\(lugares) seats, buffers \(antes)+\(depois), \(fuso)" }
    }

    private static let casos = [
        Caso(lugares: 1, antes: 0, depois: 0, fuso: "America/Sao_Paulo", comeco: "2026-03-09T00:00:00Z"),
        Caso(lugares: 1, antes: 15, depois: 45, fuso: "America/Sao_Paulo", comeco: "2019-02-16T00:00:00Z"),
        Caso(lugares: 7, antes: 0, depois: 10, fuso: "America/New_York", comeco: "2026-10-31T00:00:00Z"),
        Caso(lugares: 20, antes: 5, depois: 0, fuso: "Australia/Lord_Howe", comeco: "2026-10-03T00:00:00Z"),
    ]

    @Test(arguments: casos)
    private func acceptedBookingsNeverExceedTheSeatsAndEveryRefusalWasNeeded(_ caso: Caso) throws {
        var cenario = try Cenario(lugares: caso.lugares, regras: regras(caso), fuso: caso.fuso)
        let comeco = try instante(caso.comeco)
        let agora = comeco - .horas(24)
        var sorteio = SeededGenerator(seed: UInt64(caso.lugares * 100 + caso.antes))
        var aceitas: [ReservaID: Aceita] = [:]
        var recusadas = 0
        for numero in 0..<1_500 {
            let sorteado = Int.random(in: 0..<10, using: &sorteio)
            let (intervalo, lugares) = try sortear(comeco, maximo: caso.lugares, &sorteio)
            let alvo = sorteado < 8 ? id(UInt64(numero)) : aceitas.keys.sorted().randomElement(using: &sorteio) ?? id(UInt64(numero))
            switch (sorteado, aceitas[alvo]) {
            case (8, .some):
                try cenario.cancelar(alvo, ator: cenario.recepcao, agora: agora)
                aceitas[alvo] = nil
            case (9, let antiga?):
                let nova = Aceita(ocupacao: try estendido(intervalo, caso), lugares: antiga.lugares)
                let cabe = livres(nova.ocupacao, aceitas.filter { $0.key != alvo }, caso.lugares) >= nova.lugares
                let aceitou = try aceita { try cenario.remarcar(alvo, intervalo, ator: cenario.recepcao, agora: agora) }
                #expect(aceitou == cabe, "\(numero)")
                if aceitou { aceitas[alvo] = nova } else { recusadas += 1 }
            default:
                let nova = Aceita(ocupacao: try estendido(intervalo, caso), lugares: lugares)
                let cabe = livres(nova.ocupacao, aceitas, caso.lugares) >= lugares
                let aceitou = try aceita {
                    try cenario.reservar(alvo, intervalo, lugares: lugares, ator: cenario.recepcao, agora: agora)
                }
                #expect(aceitou == cabe, "\(numero)")
                if aceitou { aceitas[alvo] = nova } else { recusadas += 1 }
            }
        }
        #expect(aceitas.count > 10 && recusadas > 100)
        conferirAgenda(cenario, aceitas, comeco)
    }

    /// Each UTC day's stream holds exactly the bookings that touch the day.
    private func conferirAgenda(_ cenario: Cenario, _ aceitas: [ReservaID: Aceita], _ comeco: Instante) {
        for dia in -2..<6 {
            let data = comeco.diaUTC.somandoDias(dia)
            let agenda: Agenda = cenario.estado(.agenda(cenario.sala, data))
            let esperadas = aceitas.filter { $0.value.ocupacao.diasUTC.contains(data) }
            #expect(Set(agenda.ocupacoes.keys) == Set(esperadas.keys))
        }
    }

    private func aceita(_ comando: () throws -> [EventosDoFluxo]) throws -> Bool {
        do {
            _ = try comando()
            return true
        } catch let recusa as RecusaDeReservas {
            switch recusa {
            case .conflito, .lugaresInsuficientes: return false
            default: throw recusa
            }
        }
    }

    /// Seats free at every minute of an interval, counted one minute after the other.
    private func livres(_ intervalo: Intervalo, _ aceitas: [ReservaID: Aceita], _ total: Int) -> Int {
        var menos = total
        var momento = intervalo.inicio
        let proximas = aceitas.values.filter { $0.ocupacao.inicio < intervalo.fim && intervalo.inicio < $0.ocupacao.fim }
        while momento < intervalo.fim && !proximas.isEmpty {
            let ocupados = proximas.reduce(0) { soma, outra in
                outra.ocupacao.inicio <= momento && momento < outra.ocupacao.fim ? soma + outra.lugares : soma
            }
            menos = min(menos, total - ocupados)
            momento = momento + .minutos(1)
        }
        return menos
    }

    private func estendido(_ intervalo: Intervalo, _ caso: Caso) throws -> Intervalo {
        try #require(
            Intervalo(inicio: intervalo.inicio - .minutos(caso.antes), fim: intervalo.fim + .minutos(caso.depois))
        )
    }

    private func sortear(_ comeco: Instante, maximo: Int, _ sorteio: inout SeededGenerator) throws -> (Intervalo, Int) {
        let inicio = comeco + .minutos(5 * Int.random(in: 0..<900, using: &sorteio))
        let fim = inicio + .minutos(5 * Int.random(in: 1...60, using: &sorteio))
        return (try #require(Intervalo(inicio: inicio, fim: fim)), Int.random(in: 1...max(1, maximo / 3), using: &sorteio))
    }

    private func regras(_ caso: Caso) throws -> RegrasDeReserva {
        RegrasDeReserva(
            duracaoMinima: try minutos(5),
            duracaoMaxima: .umDia,
            passo: try minutos(5),
            bufferAntes: try minutos(caso.antes),
            bufferDepois: try minutos(caso.depois),
            antecedenciaMinima: .zero,
            horizonte: .noventaDias,
            cancelamento: .padrao,
            retencao: .quinze
        )
    }
}
