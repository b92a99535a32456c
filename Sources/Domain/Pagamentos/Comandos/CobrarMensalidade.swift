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
                cobranca.resto(de: recebimento) == recebimento.valor, depois(recebimento, fim)
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

    /// Whether money came after the subscription had ended: what was there before is kept. An end for want of payment looked at the charge
    /// that was not paid, so whatever pays that one came after it, however the clocks of two processes differ.
    private func depois(_ recebimento: Recebimento, _ fim: Mensalidade.Fim) -> Bool {
        if recebimento.em > fim.em { return true }
        return fim.motivo == .faltaDePagamento && recebimento.tardio && recebimento.em > fim.em - EncerrarPorFaltaDePagamento.espera
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
