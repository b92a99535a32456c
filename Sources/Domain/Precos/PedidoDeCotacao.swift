/// What a price is asked for.
package struct PedidoDeCotacao: Hashable, Sendable {
    package let espaco: EspacoID
    package let tipo: TipoDeEspaco
    package let intervalo: Intervalo
    /// One or more.
    package let lugares: Int
    /// The zone of the unit, by whose wall clock rates are charged.
    package let zona: ZonaHoraria
    package let plano: PlanoID

    package init(
        espaco: EspacoID,
        tipo: TipoDeEspaco,
        intervalo: Intervalo,
        lugares: Int,
        zona: ZonaHoraria,
        plano: PlanoID
    ) {
        self.espaco = espaco
        self.tipo = tipo
        self.intervalo = intervalo
        self.lugares = lugares
        self.zona = zona
        self.plano = plano
    }

    /// The price: hourly rate of the version in force on the local date of the start, split where a multiplier begins or ends
    /// and at local midnight; then the plan's discount, credits, coupon and the daily cap, day by day. Each line is rounded once,
    /// half-even, and no day costs less than nothing.
    /// - Parameter estado: The state of the stream of `plano`.
    package func cotar(
        tarifario: Tarifario,
        plano estado: Plano,
        beneficios: BeneficiosDaCotacao = .nenhum
    ) throws(RecusaDePrecos) -> Cotacao {
        guard case .publicado(let publicado) = estado, publicado.plano == plano else { throw .planoInexistente(plano) }
        guard intervalo.duracao <= RegrasDeReserva.maiorDuracao.duracao else { throw .periodoLongoDemais }
        let data = zona.data(de: intervalo.inicio)
        guard let versao = tarifario.vigente(em: data), let tarifa = versao.tarifa(de: espaco, tipo: tipo) else {
            throw .tarifaInexistente(data: data)
        }
        let conta: ContaDaCotacao
        do {
            conta = try ContaDaCotacao(
                tempo: try linhasDeTempo(versao: versao, tarifa: tarifa),
                lugares: lugares,
                desconto: publicado.desconto,
                teto: try tarifa.tetoDiario?.vezes([Int64(lugares)], sobre: [1]),
                beneficios: beneficios
            )
        } catch {
            throw .valorForaDosLimites
        }
        if let cupom = beneficios.cupom, let minimo = cupom.valorMinimo, conta.antesDoCupom < minimo {
            guard cupom.dispensavel else { throw .cupomAbaixoDoMinimo(minimo) }
            return try cotar(tarifario: tarifario, plano: estado, beneficios: BeneficiosDaCotacao(creditos: beneficios.creditos))
        }
        return Cotacao(
            tarifarioVersao: versao.versao,
            plano: plano,
            planoVersao: publicado.versao,
            linhas: conta.linhas,
            total: conta.total,
            cupom: conta.usouCupom ? beneficios.cupom?.codigo : nil,
            creditos: conta.creditos > 0 ? Minutos(conta.creditos) : nil
        )
    }

    /// One line for each stretch of the wall clock with one date and one multiplier.
    private func linhasDeTempo(versao: VersaoDoTarifario, tarifa: Tarifa) throws(ErroDeDinheiro) -> [LinhaDeTempo] {
        var linhas: [LinhaDeTempo] = []
        for trecho in trechos(versao: versao) {
            let milesimos = trecho.multiplicador?.milesimos ?? Multiplicador.neutro
            let valor = try tarifa.valorHora.vezes(
                [Int64(milesimos), Int64(lugares), trecho.intervalo.duracao.microssegundos],
                sobre: [Int64(Multiplicador.neutro), Duracao.horas(1).microssegundos]
            )
            linhas.append(
                LinhaDeTempo(
                    dia: trecho.dia,
                    intervalo: trecho.intervalo,
                    lugares: lugares,
                    valorHora: tarifa.valorHora,
                    multiplicador: trecho.multiplicador?.nome,
                    milesimos: milesimos,
                    valor: valor
                )
            )
        }
        return linhas
    }

    private struct Trecho {
        let dia: DataCivil
        let multiplicador: Multiplicador?
        let intervalo: Intervalo
    }

    private func trechos(versao: VersaoDoTarifario) -> [Trecho] {
        var trechos: [Trecho] = []
        var inicio = intervalo.inicio
        while inicio < intervalo.fim {
            let local = zona.local(de: inicio)
            let fronteira = DataHoraLocal(local.data, versao.proximaFronteira(depoisDe: local))
            let ateFronteira = inicio + Duracao(microssegundos: fronteira.microssegundos - local.microssegundos)
            // A change of the clocks ends a stretch too: beyond it the same wall clock time is another moment.
            let fim = min(ateFronteira, zona.regime(em: inicio.segundos).termino, intervalo.fim)
            guard let intervalo = Intervalo(inicio: inicio, fim: fim) else { break }
            let multiplicador = versao.multiplicador(em: local)
            if let ultimo = trechos.last, ultimo.dia == local.data, ultimo.multiplicador == multiplicador,
                let unido = Intervalo(inicio: ultimo.intervalo.inicio, fim: fim)
            {
                trechos[trechos.count - 1] = Trecho(dia: local.data, multiplicador: multiplicador, intervalo: unido)
            } else {
                trechos.append(Trecho(dia: local.data, multiplicador: multiplicador, intervalo: intervalo))
            }
            inicio = fim
        }
        return trechos
    }
}
