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
    /// and at local midnight; then the plan's discount and the daily cap, day by day. Each line is rounded once, half-even.
    /// - Parameter estado: The state of the stream of `plano`.
    package func cotar(tarifario: Tarifario, plano estado: Plano) throws(RecusaDePrecos) -> Cotacao {
        guard case .publicado(let publicado) = estado, publicado.plano == plano else { throw .planoInexistente(plano) }
        guard intervalo.duracao <= RegrasDeReserva.maiorDuracao.duracao else { throw .periodoLongoDemais }
        let data = zona.data(de: intervalo.inicio)
        guard let versao = tarifario.vigente(em: data), let tarifa = versao.tarifa(de: espaco, tipo: tipo) else {
            throw .tarifaInexistente(data: data)
        }
        do {
            let linhas = try linhas(versao: versao, tarifa: tarifa, desconto: publicado.desconto)
            return Cotacao(
                tarifarioVersao: versao.versao,
                plano: plano,
                planoVersao: publicado.versao,
                linhas: linhas,
                total: try Dinheiro.somar(linhas.map(\.valor))
            )
        } catch {
            throw .valorForaDosLimites
        }
    }

    private func linhas(versao: VersaoDoTarifario, tarifa: Tarifa, desconto: Percentual) throws(ErroDeDinheiro) -> [LinhaDaCotacao] {
        var linhas: [LinhaDaCotacao] = []
        var restantes = try linhasDeTempo(versao: versao, tarifa: tarifa)[...]
        while let dia = restantes.first?.dia {
            let doDia = restantes.prefix { $0.dia == dia }
            restantes = restantes.dropFirst(doDia.count)
            linhas += doDia.map(LinhaDaCotacao.tempo)
            var soma = try Dinheiro.somar(doDia.map(\.valor))
            if desconto > .zero, soma > .zero {
                let valor = try Dinheiro.zero.subtraindo(soma.vezes(desconto))
                linhas.append(.desconto(LinhaDeDesconto(dia: dia, base: soma, percentual: desconto, valor: valor)))
                soma = try soma.somando(valor)
            }
            if let teto = try tarifa.tetoDiario?.vezes([Int64(lugares)], sobre: [1]), soma > teto {
                linhas.append(.teto(LinhaDeTeto(dia: dia, base: soma, teto: teto, valor: try teto.subtraindo(soma))))
            }
        }
        return linhas
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
