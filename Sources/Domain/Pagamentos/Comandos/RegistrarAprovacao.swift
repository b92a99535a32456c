/// The provider has the money for a try to pay. It is recorded whatever state the charge is in: money that came is never denied. What
/// does not pay the charge goes back at once.
package struct RegistrarAprovacao: Hashable, Sendable {
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let valor: Dinheiro
    package let referencia: String?
    package let agora: Instante

    package init(transacao: TransacaoID, metodo: MetodoDePagamento, valor: Dinheiro, referencia: String? = nil, agora: Instante) {
        self.transacao = transacao
        self.metodo = metodo
        self.valor = valor
        self.referencia = referencia
        self.agora = agora
    }

    package func decidir(pagamento estado: Pagamento) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard let dados = estado.dados, dados.pagamento == transacao.pagamento else { throw .pagamentoNaoEncontrado }
        guard valor > .zero else { throw .valorInvalido }
        if dados.recebimentos.contains(where: { $0.transacao == transacao }) { return [] }
        let aprovado = PagamentoAprovado(
            pagamento: dados.pagamento,
            causa: dados.causa,
            usuario: dados.usuario,
            unidade: dados.unidade,
            transacao: transacao,
            metodo: metodo,
            valor: valor,
            referencia: referencia,
            quita: valor == dados.valor && !estado.estaQuitado,
            tardio: estado == .encerrado(dados),
            em: agora
        )
        var eventos: [EventoDoDominio] = [.pagamentos(.pagamentoAprovado(aprovado))]
        if !aprovado.quita {
            let recebimento = Recebimento(aprovado)
            let devolucao = dados.estorno(
                EstornoID(de: dados.pagamento, transacao.tentativa), de: recebimento, valor: valor, motivo: .pagamentoIndevido, em: agora
            )
            eventos.append(.pagamentos(.estornoSolicitado(devolucao)))
        }
        return [EventosDoFluxo(.pagamento(dados.pagamento), eventos)]
    }
}

/// The provider refused a try to pay.
package struct RegistrarRecusa: Hashable, Sendable {
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let motivo: MotivoDaRecusa
    package let agora: Instante

    package init(transacao: TransacaoID, metodo: MetodoDePagamento, motivo: MotivoDaRecusa, agora: Instante) {
        self.transacao = transacao
        self.metodo = metodo
        self.motivo = motivo
        self.agora = agora
    }

    /// Nothing where the try is known to be refused, or paid after all: messages overtake each other.
    package func decidir(pagamento estado: Pagamento) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard let dados = estado.dados, dados.pagamento == transacao.pagamento else { throw .pagamentoNaoEncontrado }
        guard !dados.recusadas.contains(transacao), !dados.recebimentos.contains(where: { $0.transacao == transacao }) else { return [] }
        let recusado = PagamentoRecusado(
            pagamento: dados.pagamento, causa: dados.causa, transacao: transacao, metodo: metodo, motivo: motivo, em: agora
        )
        return [EventosDoFluxo(.pagamento(dados.pagamento), pagamentos: .pagamentoRecusado(recusado))]
    }
}

extension Pagamento {
    var estaQuitado: Bool {
        switch self {
        case .quitado: true
        case .inexistente, .aberto, .encerrado: false
        }
    }
}

extension DadosDoPagamento {
    func estorno(
        _ estorno: EstornoID,
        de recebimento: Recebimento,
        valor: Dinheiro,
        motivo: MotivoDoEstorno,
        razao: RazaoDoAtraso? = nil,
        por: UsuarioID? = nil,
        justificativa: Selado? = nil,
        em agora: Instante
    ) -> EstornoSolicitado {
        EstornoSolicitado(
            pagamento: pagamento,
            causa: causa,
            usuario: usuario,
            unidade: unidade,
            estorno: estorno,
            transacao: recebimento.transacao,
            referencia: recebimento.referencia,
            valor: valor,
            motivo: motivo,
            razao: razao,
            por: por,
            justificativa: justificativa,
            em: agora
        )
    }
}
