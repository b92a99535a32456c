/// What is known of a charge: the stream `pagamento-{id}`.
package enum Pagamento: EstadoDeFluxo {
    case inexistente
    /// Can be paid until it expires.
    case aberto(DadosDoPagamento)
    /// Closed unpaid. Money may come all the same.
    case encerrado(DadosDoPagamento)
    /// A payment paid it; some or all may have been given back since.
    case quitado(DadosDoPagamento)

    package static let inicial = Pagamento.inexistente

    package func evoluindo(com evento: EventoDePagamentos) -> Pagamento {
        if case .cobrancaCriada(let criada) = evento { return .aberto(DadosDoPagamento(criada)) }
        guard var dados else { return self }
        switch evento {
        case .cobrancaCriada: return self
        case .cobrancaAlterada(let alterada):
            dados.valor = alterada.para
            dados.pix = nil
        case .pixGerado(let gerado):
            dados.tentativas = max(dados.tentativas, gerado.transacao.tentativa)
            dados.pix = gerado
        case .pagamentoAprovado(let aprovado):
            if !aprovado.metodo.noBalcao { dados.tentativas = max(dados.tentativas, aprovado.transacao.tentativa) }
            dados.recebimentos.append(Recebimento(aprovado))
            if aprovado.quita { return .quitado(dados) }
        case .pagamentoRecusado(let recusado):
            dados.tentativas = max(dados.tentativas, recusado.transacao.tentativa)
            dados.recusadas.insert(recusado.transacao)
            if dados.pix?.transacao == recusado.transacao { dados.pix = nil }
        case .tentativaRespondida(let respondida): dados.respondidas.insert(respondida.transacao)
        case .cobrancaExpirada: return .encerrado(dados)
        case .estornoSolicitado(let pedido): dados.estornos.append(Estorno(pedido))
        case .pagamentoEstornado(let feito): dados.concluir(feito.estorno, .realizado)
        case .estornoRecusado(let negado): dados.concluir(negado.estorno, .recusado)
        }
        return com(dados)
    }

    /// The charge, in whatever state; nil when there is none.
    package var dados: DadosDoPagamento? {
        switch self {
        case .inexistente: nil
        case .aberto(let dados), .encerrado(let dados), .quitado(let dados): dados
        }
    }

    /// What was paid for what the charge is for, less what went back or is on its way back.
    package var pago: Dinheiro {
        switch self {
        case .inexistente, .aberto, .encerrado: .zero
        case .quitado(let dados): dados.quitacao.map(dados.resto) ?? .zero
        }
    }

    /// The PIX that paid it, where nothing says that it was made: its webhook overtook the answer, or whoever asked was lost.
    package var pixSemResposta: Recebimento? {
        guard case .quitado(let dados) = self, let quitacao = dados.quitacao, quitacao.metodo == .pix,
            dados.pix?.transacao != quitacao.transacao, !dados.respondidas.contains(quitacao.transacao)
        else { return nil }
        return quitacao
    }

    private func com(_ dados: DadosDoPagamento) -> Pagamento {
        switch self {
        case .inexistente: self
        case .aberto: .aberto(dados)
        case .encerrado: .encerrado(dados)
        case .quitado: .quitado(dados)
        }
    }
}

/// What a charge is.
package struct DadosDoPagamento: Equatable, Sendable {
    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let usuario: UsuarioID
    package let unidade: UnidadeID?
    /// What is owed.
    package internal(set) var valor: Dinheiro
    package let expiraEm: Instante
    /// The number of the last try to pay that is recorded.
    package internal(set) var tentativas = 0
    /// The PIX that can be paid; nil where none was made, or none of the amount that is owed now.
    package internal(set) var pix: PixGerado?
    package internal(set) var recusadas: Set<TransacaoID> = []
    /// Tries whose answer was recorded apart.
    package internal(set) var respondidas: Set<TransacaoID> = []
    package internal(set) var recebimentos: [Recebimento] = []
    package internal(set) var estornos: [Estorno] = []

    init(_ criada: CobrancaCriada) {
        pagamento = criada.pagamento
        causa = criada.causa
        usuario = criada.usuario
        unidade = criada.unidade
        valor = criada.valor
        expiraEm = criada.expiraEm
    }

    /// The next try to pay at a provider; nil after too many.
    package var proximaTransacao: TransacaoID? {
        tentativas + 1 < TransacaoID.maiorTentativa ? TransacaoID(pagamento, tentativa: tentativas + 1) : nil
    }

    /// What is paid at the desk.
    var transacaoNoBalcao: TransacaoID? { TransacaoID(pagamento, tentativa: TransacaoID.maiorTentativa) }

    /// The payment that paid it. Where one was undone, the desk may have taken another.
    package var quitacao: Recebimento? { recebimentos.last(where: \.quita) }

    /// What is left of a payment that came in: not given back, nor on its way back.
    package func resto(de recebimento: Recebimento) -> Dinheiro {
        let saidas = estornos.filter { $0.transacao == recebimento.transacao && $0.situacao != .recusado }
        // No giving back is recorded that exceeds what is left, so neither sum nor difference can leave the range.
        return Dinheiro(centavos: recebimento.valor.centavos - saidas.reduce(0) { $0 + $1.valor.centavos }, moeda: recebimento.valor.moeda)
    }

    mutating func concluir(_ estorno: EstornoID, _ situacao: Estorno.Situacao) {
        guard let posicao = estornos.firstIndex(where: { $0.estorno == estorno }) else { return }
        estornos[posicao].situacao = situacao
    }
}

/// Money that came in.
package struct Recebimento: Hashable, Sendable {
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let valor: Dinheiro
    package let referencia: String?
    /// Whether it paid the charge.
    package let quita: Bool
    /// Whether the charge had closed before.
    package let tardio: Bool
    package let em: Instante

    init(_ aprovado: PagamentoAprovado) {
        transacao = aprovado.transacao
        metodo = aprovado.metodo
        valor = aprovado.valor
        referencia = aprovado.referencia
        quita = aprovado.quita
        tardio = aprovado.tardio
        em = aprovado.em
    }
}

/// Money that goes back.
package struct Estorno: Hashable, Sendable {
    package enum Situacao: Hashable, Sendable {
        case solicitado
        case realizado
        case recusado
    }

    package let estorno: EstornoID
    package let transacao: TransacaoID
    package let referencia: String?
    package let valor: Dinheiro
    package let motivo: MotivoDoEstorno
    package internal(set) var situacao = Situacao.solicitado

    init(_ pedido: EstornoSolicitado) {
        estorno = pedido.estorno
        transacao = pedido.transacao
        referencia = pedido.referencia
        valor = pedido.valor
        motivo = pedido.motivo
    }
}
