/// Gives back what a booking's moves to cheaper times gave back, and what the policy of one that was cancelled, that nobody came to, or
/// whose difference was not paid, says; each once, over all its charges, and never more than they still hold.
package struct DevolverDaReserva: Hashable, Sendable {
    /// Tells what the end of a booking gives back from every other of the same payment.
    static let encerramento = 300
    /// How long after a booking expired money goes back: until nobody can have paid late any more, for then it is to be had again.
    package static let espera = Duracao.minutos(10)
    /// The first move's; the others follow.
    private static let remarcacao = 1_000

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameter pagamentos: The streams of `DadosDaReserva.pagamentos`.
    package func decidir(reserva estado: Reserva, pagamentos: [Pagamento]) -> [EventosDoFluxo] {
        guard let dados = estado.dados else { return [] }
        var saida = Saida(cobrancas: pagamentos.compactMap { dados.recebido(em: $0) }, agora: agora)
        for devolucao in dados.aDevolver {
            let sobra = saida.guardado - piso(estado, dados, saida)
            saida.devolver(devolucao.valor, Self.remarcacao + devolucao.remarcacao, .remarcacao, ate: sobra)
        }
        if let reembolso = dados.reembolso, agora >= dados.expiradaEm.map({ $0 + Self.espera }) ?? agora {
            saida.devolver(reembolso.valor, Self.encerramento, dados.expiradaEm == nil ? .cancelamento : .expiracao)
        }
        return saida.decididos
    }

    /// What a move may not give back, in centavos: it is there for the price, or for what the end of the booking gives back or keeps.
    private func piso(_ estado: Reserva, _ dados: DadosDaReserva, _ saida: Saida) -> Int64 {
        switch estado {
        case .inexistente, .pendente, .confirmada, .concluida: dados.acertado.centavos
        case .cancelada, .ausente, .expirada:
            (dados.reembolso?.pago.centavos ?? 0) - saida.pedido(Self.encerramento)
        }
    }

    /// What is decided so far, over the charges.
    private struct Saida {
        var cobrancas: [(dados: DadosDoPagamento, recebimento: Recebimento)]
        let agora: Instante
        private var eventos: [PagamentoID: [EventoDoDominio]] = [:]

        init(cobrancas: [(dados: DadosDoPagamento, recebimento: Recebimento)], agora: Instante) {
            self.cobrancas = cobrancas
            self.agora = agora
        }

        /// An append names each stream once.
        var decididos: [EventosDoFluxo] {
            eventos.sorted { $0.key < $1.key }.map { EventosDoFluxo(.pagamento($0.key), $0.value) }
        }

        /// What is left of all payments, in centavos.
        var guardado: Int64 { cobrancas.reduce(0) { $0 + $1.dados.resto(de: $1.recebimento).centavos } }

        func pedido(_ numero: Int) -> Int64 {
            cobrancas.reduce(0) { soma, cobranca in
                let estorno = EstornoID(de: cobranca.dados.pagamento, numero)
                return soma + (cobranca.dados.estornos.first { $0.estorno == estorno }?.valor.centavos ?? 0)
            }
        }

        mutating func devolver(_ valor: Dinheiro, _ numero: Int, _ motivo: MotivoDoEstorno, ate limite: Int64 = .max) {
            var falta = min(valor.centavos - pedido(numero), limite)
            // What was paid last goes back first.
            for posicao in cobrancas.indices.reversed() {
                let (dados, recebimento) = cobrancas[posicao]
                let estorno = EstornoID(de: dados.pagamento, numero)
                let parte = Dinheiro(centavos: min(falta, dados.resto(de: recebimento).centavos))
                guard parte > .zero, !dados.estornos.contains(where: { $0.estorno == estorno }) else { continue }
                falta -= parte.centavos
                let pedido = dados.estorno(estorno, de: recebimento, valor: parte, motivo: motivo, em: agora)
                cobrancas[posicao].dados.estornos.append(Estorno(pedido))
                eventos[dados.pagamento, default: []].append(.pagamentos(.estornoSolicitado(pedido)))
            }
        }
    }
}

extension DadosDaReserva {
    /// What of its price was paid, or was agreed to be at the desk: all but the difference that it waits for.
    var acertado: Dinheiro {
        guard let devido, let resto = try? cotacao.total.subtraindo(devido) else { return cotacao.total }
        return resto
    }

    /// The charge, where its payment is the booking's: it confirmed it, or was taken at the desk. What was paid and confirmed nothing is
    /// none of it: `ConfirmarPaga` gives that back.
    func recebido(em pagamento: Pagamento) -> (dados: DadosDoPagamento, recebimento: Recebimento)? {
        guard case .quitado(let dados) = pagamento, let recebimento = dados.quitacao,
            confirmadaPor.contains(dados.pagamento) || recebimento.metodo.noBalcao
        else { return nil }
        return (dados, recebimento)
    }

    /// What was paid for it, less what went back or is on its way back, and less what a move still gives back.
    /// - Parameter pagamentos: The streams of `pagamentos`.
    package func pago(_ pagamentos: [Pagamento]) throws(ErroDeDinheiro) -> Dinheiro {
        let guardados = pagamentos.compactMap { recebido(em: $0) }.map { $0.dados.resto(de: $0.recebimento) }
        let guardado = try Dinheiro.somar(guardados)
        return aDevolver.isEmpty && retido == .zero ? guardado : min(guardado, acertado)
    }
}

extension Pagamento {
    /// Whether money of it goes back, or went, because its booking was given up.
    var devolveOEncerramento: Bool {
        guard let dados else { return false }
        let estorno = EstornoID(de: dados.pagamento, DevolverDaReserva.encerramento)
        return dados.estornos.contains { $0.estorno == estorno }
    }
}
