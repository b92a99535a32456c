/// What past bookings would have brought in under another tariff: the same times, seats, plans, credits and coupons, priced anew.
///
/// Counts bookings that stood, with their whole price, and those that were cancelled after they were confirmed or that nobody came to,
/// with the share that the policy kept. What was never confirmed brought in nothing, and would not have.
package struct SimulacaoDeTarifario: Sendable {
    /// The events that it wants.
    package static let tipos: Set<String> = [
        EspacoCriado.tipo, EspacoAtualizado.tipo, PlanoPublicado.tipo, CupomCriado.tipo, ReservaSolicitada.tipo, ReservaConfirmada.tipo,
        ReservaRemarcada.tipo, ReservaExpirada.tipo, ReservaRetomada.tipo, ReservaCancelada.tipo, ReservaNaoComparecida.tipo,
        ReservaConcluida.tipo,
    ]

    private struct VersaoDoPlano: Hashable {
        let plano: PlanoID
        let versao: VersaoDeRegra
    }

    private var espacos: [EspacoID: FichaDoEspaco] = [:]
    private var planos: [VersaoDoPlano: Plano] = [:]
    private var cupons: [CodigoDoCupom: TermosDoCupom] = [:]
    private var reservas: [ReservaID: Reserva] = [:]
    /// Of those cancelled: the share that was kept.
    private var retidos: [ReservaID: Percentual] = [:]

    package init() {}

    /// Takes an event in, in the order of the log.
    package mutating func considerar(_ evento: EventoDoDominio) {
        if case .espacos(.espacoCriado(let criacao)) = evento { espacos[criacao.espaco] = criacao.ficha }
        if case .espacos(.espacoAtualizado(let mudanca)) = evento { espacos[mudanca.espaco] = mudanca.ficha }
        if case .precos(.planoPublicado(let plano)) = evento {
            planos[VersaoDoPlano(plano: plano.plano, versao: plano.versao)] = .dobrar([evento])
        }
        if case .precos(.cupomCriado(let cupom)) = evento { cupons[cupom.codigo] = cupom.termos }
        if case .reservas(let reserva) = evento { considerar(reserva) }
    }

    private mutating func considerar(_ evento: EventoDeReservas) {
        if case .reservaSolicitada(let solicitacao) = evento { return mudar(solicitacao.reserva, evento) }
        if case .reservaConfirmada(let confirmacao) = evento { return mudar(confirmacao.reserva, evento) }
        if case .reservaRemarcada(let remarcacao) = evento { return mudar(remarcacao.reserva, evento) }
        if case .reservaExpirada(let expiracao) = evento { return mudar(expiracao.reserva, evento) }
        if case .reservaRetomada(let retomada) = evento { return mudar(retomada.reserva, evento) }
        if case .reservaNaoComparecida(let ausencia) = evento { return mudar(ausencia.reserva, evento) }
        if case .reservaConcluida(let conclusao) = evento { return mudar(conclusao.reserva, evento) }
        guard case .reservaCancelada(let cancelamento) = evento else { return }
        if case .confirmada = reservas[cancelamento.reserva] {
            retidos[cancelamento.reserva] = Percentual(100 - cancelamento.reembolso.percentual.valor)
        }
        mudar(cancelamento.reserva, evento)
    }

    private mutating func mudar(_ reserva: ReservaID, _ evento: EventoDeReservas) {
        reservas[reserva] = (reservas[reserva] ?? .inicial).evoluindo(com: evento)
    }

    /// - Parameters:
    ///   - tarifario: priced with, for every date from `de` on.
    ///   - de: the first local date of bookings, which `ate` is the last of.
    ///   - unidade: only its bookings; all where `nil`.
    ///   - zona: the rules of a zone by its name.
    package func comparar(
        com tarifario: Tarifario,
        de: DataCivil,
        ate: DataCivil,
        unidade: UnidadeID?,
        zona: (String) throws -> ZonaHoraria
    ) throws -> ComparacaoDeTarifarios {
        var comparacao = ComparacaoDeTarifarios()
        for (reserva, estado) in reservas.sorted(by: { $0.key < $1.key }) {
            guard let dados = estado.dados, let parte = parte(estado, reserva) else { continue }
            guard (de...ate).contains(dados.horario.inicioLocal.data), unidade.map({ $0 == dados.unidade }) ?? true else { continue }
            guard let ficha = espacos[dados.espaco] else { continue }
            let antes = try dados.cotacao.total.vezes(parte)
            let depois: Dinheiro
            do {
                let cotacao = try cotar(dados, tipo: ficha.tipo, tarifario, zona: try zona(dados.horario.fuso))
                depois = try cotacao.total.vezes(parte)
            } catch RecusaDePrecos.tarifaInexistente {
                comparacao.contarSemPreco(dados.espaco, ficha.nome)
                continue
            }
            try comparacao.contar(dados.espaco, ficha.nome, antes: antes, depois: depois)
        }
        return comparacao
    }

    /// Which share of its price a booking brought in; `nil` for one that was never sold.
    private func parte(_ estado: Reserva, _ reserva: ReservaID) -> Percentual? {
        switch estado {
        case .confirmada, .concluida: .todo
        case .ausente(let dados): Percentual(100 - (dados.reembolso?.percentual.valor ?? 0))
        case .cancelada: retidos[reserva]
        case .inexistente, .pendente, .expirada: nil
        }
    }

    private func cotar(
        _ dados: DadosDaReserva,
        tipo: TipoDeEspaco,
        _ tarifario: Tarifario,
        zona: ZonaHoraria
    ) throws(RecusaDePrecos) -> Cotacao {
        let pedido = PedidoDeCotacao(
            espaco: dados.espaco,
            tipo: tipo,
            intervalo: dados.horario.intervalo,
            lugares: dados.horario.lugares,
            zona: zona,
            plano: dados.cotacao.plano
        )
        let plano = planos[VersaoDoPlano(plano: dados.cotacao.plano, versao: dados.cotacao.planoVersao)] ?? .inicial
        let cupom = dados.cotacao.cupom.flatMap { codigo in
            cupons[codigo].map { CupomAplicavel(codigo: codigo, desconto: $0.desconto, valorMinimo: nil) }
        }
        let beneficios = BeneficiosDaCotacao(creditos: dados.cotacao.creditos?.valor ?? 0, cupom: cupom)
        return try pedido.cotar(tarifario: tarifario, plano: plano, beneficios: beneficios)
    }
}

/// What bookings brought in, and what they would have under another tariff.
package struct ComparacaoDeTarifarios: Hashable, Sendable {
    package struct Linha: Hashable, Sendable {
        package let espaco: EspacoID
        package let nome: String
        package fileprivate(set) var reservas = 0
        package fileprivate(set) var antes = Dinheiro.zero
        package fileprivate(set) var depois = Dinheiro.zero
        /// Bookings for which the other tariff has no rate: in none of the sums.
        package fileprivate(set) var semPreco = 0

        /// After minus before; the sums were added up with their overflow checked.
        package var diferenca: Dinheiro { Dinheiro(centavos: depois.centavos - antes.centavos) }
    }

    private var porEspaco: [EspacoID: Linha] = [:]

    /// By name.
    package var linhas: [Linha] {
        porEspaco.values.sorted { ($0.nome, $0.espaco) < ($1.nome, $1.espaco) }
    }

    /// Before and after of all spaces together.
    package func total() throws(ErroDeDinheiro) -> (reservas: Int, antes: Dinheiro, depois: Dinheiro, semPreco: Int) {
        let linhas = linhas
        return (
            linhas.reduce(0) { $0 + $1.reservas }, try Dinheiro.somar(linhas.map(\.antes)), try Dinheiro.somar(linhas.map(\.depois)),
            linhas.reduce(0) { $0 + $1.semPreco }
        )
    }

    mutating func contar(_ espaco: EspacoID, _ nome: String, antes: Dinheiro, depois: Dinheiro) throws(ErroDeDinheiro) {
        var linha = porEspaco[espaco] ?? Linha(espaco: espaco, nome: nome)
        linha.reservas += 1
        linha.antes = try linha.antes.somando(antes)
        linha.depois = try linha.depois.somando(depois)
        porEspaco[espaco] = linha
    }

    mutating func contarSemPreco(_ espaco: EspacoID, _ nome: String) {
        porEspaco[espaco, default: Linha(espaco: espaco, nome: nome)].semPreco += 1
    }
}
