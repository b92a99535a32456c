/// What other contexts say about a booking. The streams of space and tariff are worth guarding in the append.
package struct ContextoDaReserva: Sendable {
    package let espaco: Espaco
    /// The rules of the zone that the unit names.
    package let zona: ZonaHoraria
    package let tarifario: Tarifario
    package let planoID: PlanoID
    /// The state of the stream of `planoID`.
    package let plano: Plano

    package init(espaco: Espaco, zona: ZonaHoraria, tarifario: Tarifario, planoID: PlanoID, plano: Plano) {
        self.espaco = espaco
        self.zona = zona
        self.tarifario = tarifario
        self.planoID = planoID
        self.plano = plano
    }

    /// Everything about a booking except whether its seats are free: every other rule holds, and it has a price.
    func preparar(inicio: Instante, fim: Instante, lugares: Int, agora: Instante) throws(RecusaDeReservas) -> PreparoDaReserva {
        let dados = try exigirAtivo()
        guard let intervalo = Intervalo(inicio: inicio, fim: fim) else { throw .fimAntesDoInicio }
        guard (1...dados.ficha.lugares).contains(lugares) else { throw .lugaresInvalidos(maximo: dados.ficha.lugares) }
        try dados.conferirRegras(intervalo, zona: zona, agora: agora)
        try dados.conferirAbertura(intervalo, zona: zona)
        let horario = HorarioDaReserva(
            intervalo,
            ocupacao: intervalo.estendido(antes: dados.regras.bufferAntes, depois: dados.regras.bufferDepois),
            zona: zona,
            lugares: lugares
        )
        return PreparoDaReserva(
            espaco: dados.espaco,
            unidade: dados.unidade,
            lugaresDoEspaco: dados.ficha.lugares,
            horario: horario,
            regras: RegrasAplicadas(
                versao: dados.versaoDasRegras,
                bufferAntes: dados.regras.bufferAntes,
                bufferDepois: dados.regras.bufferDepois,
                cancelamento: dados.regras.cancelamento,
                toleranciaNaoComparecimento: dados.regras.toleranciaNaoComparecimento
            ),
            retencao: dados.regras.retencao,
            cotacao: try cotar(dados, intervalo: intervalo, lugares: lugares)
        )
    }

    private func exigirAtivo() throws(RecusaDeReservas) -> DadosDoEspaco {
        switch espaco {
        case .inexistente: throw .espacoNaoEncontrado
        case .desativado: throw .espacoInativo
        case .ativo(let dados): return dados
        }
    }

    private func cotar(_ dados: DadosDoEspaco, intervalo: Intervalo, lugares: Int) throws(RecusaDeReservas) -> Cotacao {
        let pedido = PedidoDeCotacao(
            espaco: dados.espaco,
            tipo: dados.ficha.tipo,
            intervalo: intervalo,
            lugares: lugares,
            zona: zona,
            plano: planoID
        )
        do {
            return try pedido.cotar(tarifario: tarifario, plano: plano)
        } catch {
            throw .preco(error)
        }
    }
}
