/// What other contexts say about a booking. The streams of space and tariff are worth guarding in the append.
package struct ContextoDaReserva: Sendable {
    package let espaco: Espaco
    /// The rules of the zone that the unit names.
    package let zona: ZonaHoraria
    package let tarifario: Tarifario
    package let planoID: PlanoID
    /// The state of the stream of `planoID`.
    package let plano: Plano
    package let beneficios: BeneficiosDoMembro

    package init(
        espaco: Espaco,
        zona: ZonaHoraria,
        tarifario: Tarifario,
        planoID: PlanoID,
        plano: Plano,
        beneficios: BeneficiosDoMembro = .nenhum
    ) {
        self.espaco = espaco
        self.zona = zona
        self.tarifario = tarifario
        self.planoID = planoID
        self.plano = plano
        self.beneficios = beneficios
    }

    /// - Throws: `proibido` for whoever wants a booking for somebody else and does not work where it is to be.
    func exigirPedido(de ator: Ator, para usuario: UsuarioID) throws(RecusaDeReservas) {
        guard ator.alcanca(usuario, em: espaco.dados?.unidade) else { throw .proibido }
    }

    /// Everything about a booking except whether its seats are free: every other rule holds, and it has a price.
    /// - Parameters:
    ///   - movendo: The booking, where there is one and it moves.
    ///   - dispensa: Whether an operator sets aside when the space is open, how far ahead it is booked and for how long.
    func preparar(
        inicio: Instante,
        fim: Instante,
        lugares: Int,
        movendo: ReservaID? = nil,
        agora: Instante,
        dispensa: Bool = false
    ) throws(RecusaDeReservas) -> PreparoDaReserva {
        let dados = try exigirAtivo()
        guard let intervalo = Intervalo(inicio: inicio, fim: fim) else { throw .fimAntesDoInicio }
        guard (1...dados.ficha.lugares).contains(lugares) else { throw .lugaresInvalidos(maximo: dados.ficha.lugares) }
        if dispensa {
            try dados.conferirDispensa(intervalo, agora: agora)
        } else {
            try dados.conferirRegras(intervalo, zona: zona, agora: agora)
            try dados.conferirAbertura(intervalo, zona: zona)
        }
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
                toleranciaNaoComparecimento: dados.regras.toleranciaNaoComparecimento,
                passo: dados.regras.passo,
                presenca: dados.regras.presenca
            ),
            retencao: dados.regras.retencao,
            prazoDeAprovacao: dados.regras.prazoDeAprovacao,
            retencaoDaEspera: dados.regras.retencaoDaEspera,
            cotacao: try cotar(dados, intervalo: intervalo, lugares: lugares, movendo: movendo, agora: agora),
            beneficios: beneficios
        )
    }

    private func exigirAtivo() throws(RecusaDeReservas) -> DadosDoEspaco {
        switch espaco {
        case .inexistente: throw .espacoNaoEncontrado
        case .desativado: throw .espacoInativo
        case .ativo(let dados): return dados
        }
    }

    private func cotar(
        _ dados: DadosDoEspaco,
        intervalo: Intervalo,
        lugares: Int,
        movendo: ReservaID?,
        agora: Instante
    ) throws(RecusaDeReservas) -> Cotacao {
        let pedido = PedidoDeCotacao(
            espaco: dados.espaco,
            tipo: dados.ficha.tipo,
            intervalo: intervalo,
            lugares: lugares,
            zona: zona,
            plano: planoID
        )
        do {
            let beneficios = try beneficios.paraCotar(
                espaco: dados.espaco,
                tipo: dados.ficha.tipo,
                movendo: movendo,
                hoje: zona.data(de: agora),
                agora: agora
            )
            return try pedido.cotar(tarifario: tarifario, plano: plano, beneficios: beneficios)
        } catch {
            throw .preco(error)
        }
    }
}
