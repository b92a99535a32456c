/// Has the charge of a subscription's fee follow the subscription: it is made with the period, can be paid until the fee was due for long
/// enough, and closes when the subscription ends at once. What comes after that end goes back. Looks at states only.
package struct CobrarMensalidade: Hashable, Sendable {
    /// Tells the giving back for lateness from every other of the same payment.
    private static let atraso = 200

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameter pagamento: The stream of the charge of `mensalidade.causa`.
    package func decidir(mensalidade: Mensalidade, pagamento: Pagamento) -> [EventosDoFluxo] {
        switch pagamento {
        case .inexistente: return mensalidade.fim == nil ? [criar(mensalidade)] : []
        case .aberto(let cobranca): return mensalidade.fim == nil ? [] : [cobranca.encerrada(.semObjeto, em: agora)]
        case .encerrado: return []
        case .quitado(let cobranca):
            guard let fim = mensalidade.fim, let recebimento = cobranca.quitacao,
                cobranca.resto(de: recebimento) == recebimento.valor,
                // Who does not pay is the only one whose end looks at the charge; of the others, money that was there before is kept.
                fim.motivo == .faltaDePagamento || recebimento.em > fim.em
            else { return [] }
            let pedido = cobranca.estorno(
                EstornoID(de: cobranca.pagamento, Self.atraso),
                de: recebimento,
                valor: recebimento.valor,
                motivo: .atraso,
                razao: .assinaturaEncerrada,
                em: agora
            )
            return [EventosDoFluxo(.pagamento(cobranca.pagamento), pagamentos: .estornoSolicitado(pedido))]
        }
    }

    private func criar(_ mensalidade: Mensalidade) -> EventosDoFluxo {
        let criada = CobrancaCriada(
            pagamento: mensalidade.causa.pagamento,
            causa: mensalidade.causa,
            usuario: mensalidade.usuario,
            valor: mensalidade.valor,
            // Where it is charged late, there is time to pay it all the same.
            expiraEm: max(mensalidade.venceEm, agora) + Mensalidade.tolerancia,
            em: agora
        )
        return EventosDoFluxo(.pagamento(criada.pagamento), pagamentos: .cobrancaCriada(criada))
    }
}
