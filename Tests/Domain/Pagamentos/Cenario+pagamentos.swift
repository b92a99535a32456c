import Testing

@testable import Domain

/// Payments as the services decide and append them.
extension Cenario {
    func pagamento(_ causa: CausaDaCobranca) -> Pagamento {
        estado(.pagamento(causa.pagamento))
    }

    func pagamento(_ reserva: ReservaID) -> Pagamento {
        pagamento(.reserva(reserva))
    }

    func reserva(_ id: ReservaID) -> Reserva {
        estado(.reserva(id))
    }

    /// All charges of a booking.
    func pagamentos(_ id: ReservaID) -> [Pagamento] {
        (reserva(id).dados?.cobrancas ?? []).map { pagamento($0) }
    }

    /// What was paid for a booking, as a cancellation counts it.
    func pago(_ id: ReservaID) throws -> Int64 {
        try reserva(id).dados?.pago(pagamentos(id)).centavos ?? 0
    }

    /// As `PagamentosPolicy` does after whatever happens to a booking.
    @discardableResult
    mutating func acompanhar(_ id: ReservaID, agora: Instante) throws -> [EventosDoFluxo] {
        let decididos =
            AcompanharReserva(agora: agora).decidir(reserva: reserva(id), pagamentos: pagamentos(id))
            + DevolverDaReserva(agora: agora).decidir(reserva: reserva(id), pagamentos: pagamentos(id))
        try gravar(decididos)
        return decididos
    }

    @discardableResult
    mutating func gerarPix(_ id: ReservaID, agora: Instante) throws -> TransacaoID {
        let pagar = PagarCobranca(ator: ana, metodo: .pix, agora: agora)
        guard case .pedir(let transacao, _) = try pagar.proximo(pagamento(id)) else { throw Inesperado() }
        try gravar(pagar.registrarPix(transacao, copiaECola: CodigoPixTests.dinamico, pagamento: pagamento(id)))
        return transacao
    }

    @discardableResult
    mutating func aprovar(
        _ causa: CausaDaCobranca,
        valor: Int64,
        tentativa: Int = 1,
        agora: Instante
    ) throws -> [EventosDoFluxo] {
        let transacao = try #require(TransacaoID(causa.pagamento, tentativa: tentativa))
        let comando = RegistrarAprovacao(transacao: transacao, metodo: .pix, valor: reais(valor), referencia: "E\(tentativa)", agora: agora)
        let decididos = try comando.decidir(pagamento: pagamento(causa))
        try gravar(decididos)
        return decididos
    }

    @discardableResult
    mutating func aprovar(_ id: ReservaID, valor: Int64, tentativa: Int = 1, agora: Instante) throws -> [EventosDoFluxo] {
        try aprovar(.reserva(id), valor: valor, tentativa: tentativa, agora: agora)
    }

    /// - Parameter causa: The charge that was paid; the booking's price where nil.
    @discardableResult
    mutating func confirmarPaga(_ id: ReservaID, _ causa: CausaDaCobranca? = nil, agora: Instante) throws -> [EventosDoFluxo] {
        let causa = causa ?? .reserva(id)
        let decididos = ConfirmarPaga(agora: agora).decidir(
            reserva: reserva(id),
            pagamento: pagamento(causa),
            outros: pagamentos(id).filter { $0.dados?.causa != causa },
            espaco: estado(.espaco(sala)),
            agendas: agendas(reserva(id).dados?.diasDaAgenda ?? [])
        )
        try gravar(decididos)
        return decididos
    }

    /// Pays a charge and has the booking stand, if it does.
    mutating func pagar(_ id: ReservaID, _ causa: CausaDaCobranca, agora: Instante) throws {
        guard let dados = pagamento(causa).dados else { throw Inesperado() }
        try aprovar(causa, valor: dados.valor.centavos, agora: agora)
        try confirmarPaga(id, causa, agora: agora)
    }

    /// The desk takes all that a booking owes.
    @discardableResult
    mutating func receberNoBalcao(_ id: ReservaID, valor: Int64? = nil, ator: Ator? = nil, agora: Instante) throws -> [EventosDoFluxo] {
        let decididos = try ReceberNoBalcao(ator: ator ?? recepcao, metodo: .dinheiro, valor: valor.map { reais($0) }, agora: agora)
            .decidir(reserva: reserva(id), pagamentos: pagamentos(id))
        try gravar(decididos)
        return decididos
    }

    /// What goes back of all charges of a booking goes.
    mutating func devolverTudo(_ id: ReservaID, agora: Instante) throws {
        for causa in reserva(id).dados?.cobrancas ?? [] {
            for pedido in pagamento(causa).dados?.estornos ?? [] {
                let feito = RegistrarEstorno(estorno: pedido.estorno, desfecho: .realizado(nil), agora: agora)
                try gravar(feito.decidir(pagamento: pagamento(causa)))
            }
        }
    }

    /// What was decided to give back of all charges of a booking, in the order of the charges.
    func estornos(_ id: ReservaID) -> [Estorno] {
        pagamentos(id).flatMap { $0.dados?.estornos ?? [] }
    }

    /// Why what was paid for a booking was too late, as it was recorded.
    func razoes(_ id: ReservaID) -> [RazaoDoAtraso] {
        ordem.compactMap { item in
            guard case .pagamentos(.estornoSolicitado(let pedido)) = item.evento, pedido.causa.reserva == id else { return nil }
            return pedido.razao
        }
    }

    /// The ledger of a booking, as centavos by account on the side on which each grows.
    func razao(_ id: ReservaID) throws -> [ContaContabil: Int64] {
        let fluxos = Set(
            [NomeDeFluxo.reserva(id), .presenca(id), .pagamento(CausaDaCobranca.excedente(id).pagamento)]
                + (reserva(id).dados?.pagamentos ?? []).map(NomeDeFluxo.pagamento))
        let fatos = ordem.enumerated().filter { fluxos.contains($0.element.fluxo) }.map { numero, item in
            Fato(id: Domain.Identificador(alto: 0, baixo: UInt64(numero + 1)), fluxo: item.fluxo, evento: item.evento)
        }
        var saldos: [ContaContabil: Int64] = [:]
        for linha in try RazaoDaReserva.lancamentos(de: fatos, zona: zona).flatMap(\.partidas.linhas) {
            let centavos = linha.lado == .debito ? linha.valor.centavos : -linha.valor.centavos
            saldos[linha.conta, default: 0] += linha.conta.grupo.devedor ? centavos : -centavos
        }
        return saldos.filter { $0.value != 0 }
    }
}
