import Domain
import TestSupport

extension RandomHistory {
    private static let pairs: [(ContaContabil, ContaContabil)] = [
        (.caixa, .receitaAntecipada), (.receitaAntecipada, .receitaDeReservas), (.aReceber, .receitaDeReservas), (.caixa, .aReceber),
        (.estornos, .caixa), (.receitaAntecipada, .receitaDePlanos), (.despesas(.manutencao), .caixa), (.despesas(.aluguel), .caixa),
    ]

    /// Entries, expenses and closed months, in no order that the deciders would allow.
    static func ledger(_ number: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let time = Samples.time(minutes)
        let expense: DespesaID = Samples.id(number)
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            let spent = DespesaRegistrada(
                despesa: expense, categoria: .manutencao, data: time.diaUTC, valor: Dinheiro(centavos: Int64(minutes + 1)),
                unidade: number.isMultiple(of: 2) ? Samples.id(1) : nil, memo: PlainOpener.seal("lampada \(minutes)", field: "memo"),
                por: Samples.id(number), em: time
            )
            try log.record(.despesa(expense), .financeiro(.despesaRegistrada(spent)))
        case 1:
            let reversed = DespesaEstornada(
                despesa: expense, lancamento: Samples.id(minutes), motivo: PlainOpener.seal("engano", field: "motivo"),
                por: Samples.id(number), em: time
            )
            try log.record(.despesa(expense), .financeiro(.despesaEstornada(reversed)))
        case 2:
            let month = MesCivil(de: time.diaUTC)
            try log.record(.periodo(month), .financeiro(.periodoFechado(PeriodoFechado(mes: month, por: Samples.id(number), em: time))))
        case 3:
            guard let year = AnoDosLivros(2020 + number % 3) else { throw Samples.Impossible() }
            let end = PrazoDosLivrosEncerrado(ano: year, em: time)
            try log.record(.livros(year), .financeiro(.prazoDosLivrosEncerrado(end)))
        default:
            try enter(number, minutes, &log, &random)
        }
    }

    private static func enter(_ number: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let time = Samples.time(minutes)
        let (debit, credit) = pairs[Int.random(in: 0..<pairs.count, using: &random)]
        let amount = Dinheiro(centavos: Int64.random(in: 1...100_000, using: &random))
        guard let lines = Partidas([Partida(.debito, debit, amount), Partida(.credito, credit, amount)]) else { throw Samples.Impossible() }
        let subject: AssuntoDoLancamento =
            switch number % 3 {
            case 0: .reserva(Samples.id(number))
            case 1: .assinatura(Samples.id(number))
            default: .despesa(Samples.id(number))
            }
        let entry = LancamentoRegistrado(
            lancamento: Samples.id(minutes), historico: .recebimento, partidas: lines, data: time.diaUTC,
            dataDoFato: minutes.isMultiple(of: 7) ? time.diaUTC.somandoDias(-40) : nil,
            unidade: number.isMultiple(of: 2) ? Samples.id(number) : nil, assunto: subject,
            causa: CausaDoLancamento(evento: Samples.id(minutes), tipo: ReservaConcluida.tipo, fluxo: "reserva-x"), em: time
        )
        try log.record(.lancamento(entry.lancamento), .financeiro(.lancamentoRegistrado(entry)))
    }
}
