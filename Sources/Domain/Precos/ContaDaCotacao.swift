/// The lines of a quote, built day by day from those of the time.
///
/// Credits pay for minutes of one seat, the earliest first, and only for those that cost something: whole minutes of a day, at the
/// price that they have after the plan's discount. The coupon comes after them; a fixed amount goes on from day to day until it is
/// used up. The daily cap is last.
struct ContaDaCotacao {
    private(set) var linhas: [LinhaDaCotacao] = []
    private(set) var total = Dinheiro.zero
    /// Minutes that credits pay for.
    private(set) var creditos = 0
    /// What is to be paid after plan and credits.
    private(set) var antesDoCupom = Dinheiro.zero
    private(set) var usouCupom = false

    private let lugares: Int
    private let desconto: Percentual
    private let teto: Dinheiro?
    private let beneficios: BeneficiosDaCotacao
    private var restoDoCupom: Dinheiro

    /// - Parameters:
    ///   - tempo: In order of time.
    ///   - teto: For all seats of one local day.
    init(
        tempo: [LinhaDeTempo],
        lugares: Int,
        desconto: Percentual,
        teto: Dinheiro?,
        beneficios: BeneficiosDaCotacao
    ) throws(ErroDeDinheiro) {
        self.lugares = lugares
        self.desconto = desconto
        self.teto = teto
        self.beneficios = beneficios
        restoDoCupom = if case .valor(let valor)? = beneficios.cupom?.desconto { valor } else { .zero }
        var restantes = tempo[...]
        while let dia = restantes.first?.dia {
            let doDia = restantes.prefix { $0.dia == dia }
            restantes = restantes.dropFirst(doDia.count)
            try acrescentar(Array(doDia), de: dia)
        }
    }

    private mutating func acrescentar(_ tempo: [LinhaDeTempo], de dia: DataCivil) throws(ErroDeDinheiro) {
        linhas += tempo.map(LinhaDaCotacao.tempo)
        var soma = try Dinheiro.somar(tempo.map(\.valor))
        if desconto > .zero, soma > .zero {
            let valor = try Dinheiro.zero.subtraindo(soma.vezes(desconto))
            linhas.append(.desconto(LinhaDeDesconto(dia: dia, base: soma, percentual: desconto, valor: valor)))
            soma = try soma.somando(valor)
        }
        if let linha = try creditos(tempo, de: dia, base: soma) {
            linhas.append(.creditos(linha))
            creditos += linha.minutos.valor
            soma = try soma.somando(linha.valor)
        }
        antesDoCupom = try antesDoCupom.somando(soma)
        if let linha = try cupom(de: dia, base: soma) {
            linhas.append(.cupom(linha))
            usouCupom = true
            soma = try soma.somando(linha.valor)
        }
        if let teto, soma > teto {
            linhas.append(.teto(LinhaDeTeto(dia: dia, base: soma, teto: teto, valor: try teto.subtraindo(soma))))
            soma = teto
        }
        total = try total.somando(soma)
    }

    private func creditos(_ tempo: [LinhaDeTempo], de dia: DataCivil, base: Dinheiro) throws(ErroDeDinheiro) -> LinhaDeCreditos? {
        let pagas = tempo.filter { $0.valor > .zero }
        // What is left of the credits is whole minutes; of the day, whole minutes can be paid.
        let completos = pagas.reduce(0) { $0 + $1.tempoDosLugares } / Self.minuto
        let minutos = min(completos, Int64(beneficios.creditos - creditos))
        guard base > .zero, minutos > 0, let cobertos = Minutos(exactly: minutos) else { return nil }
        var falta = minutos * Self.minuto
        var bruto = Dinheiro.zero
        for linha in pagas where falta > 0 {
            let parte = min(falta, linha.tempoDosLugares)
            bruto = try bruto.somando(linha.valor.vezes([parte], sobre: [linha.tempoDosLugares]))
            falta -= parte
        }
        let tudo = pagas.reduce(0) { $0 + $1.tempoDosLugares } == minutos * Self.minuto
        let liquido = tudo ? base : min(base, try bruto.vezes([Int64(100 - desconto.valor)], sobre: [100]))
        return LinhaDeCreditos(dia: dia, minutos: cobertos, base: base, valor: try Dinheiro.zero.subtraindo(liquido))
    }

    private mutating func cupom(de dia: DataCivil, base: Dinheiro) throws(ErroDeDinheiro) -> LinhaDeCupom? {
        guard let cupom = beneficios.cupom, base > .zero else { return nil }
        let (percentual, valor): (Percentual?, Dinheiro)
        switch cupom.desconto {
        case .percentual(let parte): (percentual, valor) = (parte, try base.vezes(parte))
        case .valor:
            (percentual, valor) = (nil, min(base, restoDoCupom))
            restoDoCupom = try restoDoCupom.subtraindo(valor)
        }
        guard valor > .zero else { return nil }
        return LinhaDeCupom(
            dia: dia,
            codigo: cupom.codigo,
            base: base,
            percentual: percentual,
            valor: try Dinheiro.zero.subtraindo(valor)
        )
    }

    private static let minuto = Duracao.minutos(1).microssegundos
}

extension LinhaDeTempo {
    /// The microseconds of all its seats together.
    fileprivate var tempoDosLugares: Int64 { intervalo.duracao.microssegundos * Int64(lugares) }
}

extension Minutos {
    fileprivate init?(exactly valor: Int64) {
        self.init(Int(valor))
    }
}
