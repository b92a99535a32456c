/// Somebody wants to pay. First what the provider is to be asked, then, with its answer, what is recorded: providers are asked between
/// the two, never in a decision.
package struct PagarCobranca: Hashable, Sendable {
    package let ator: Ator
    package let metodo: MetodoDePagamento
    package let agora: Instante

    package init(ator: Ator, metodo: MetodoDePagamento, agora: Instante) {
        self.ator = ator
        self.metodo = metodo
        self.agora = agora
    }

    /// What comes next.
    package enum Passo: Equatable, Sendable {
        /// A PIX of the amount that is owed is there already.
        case pix(PixGerado, DadosDoPagamento)
        /// The provider is to be asked. The transaction is its idempotency key.
        case pedir(TransacaoID, DadosDoPagamento)
    }

    package func proximo(_ estado: Pagamento) throws(RecusaDePagamentos) -> Passo {
        let dados = try estado.exigirVisivel(para: ator)
        switch estado {
        case .inexistente: throw .pagamentoNaoEncontrado
        case .quitado: throw .jaPago
        case .encerrado: throw .cobrancaEncerrada
        case .aberto: break
        }
        guard agora < dados.expiraEm else { throw .cobrancaEncerrada }
        if metodo == .pix, let pix = dados.pix { return .pix(pix, dados) }
        guard let transacao = dados.proximaTransacao else { throw .tentativasDemais }
        return .pedir(transacao, dados)
    }

    /// - Parameter copiaECola: The BR Code that the provider takes money for.
    package func registrarPix(
        _ transacao: TransacaoID,
        copiaECola: String,
        pagamento estado: Pagamento
    ) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        switch try proximo(estado) {
        case .pix: return []
        case .pedir(let esperada, let dados):
            // Another try came in between: this one is not recorded, and is found again by its number when it is paid.
            guard esperada == transacao else { throw .cobrancaEncerrada }
            let gerado = PixGerado(
                pagamento: dados.pagamento,
                causa: dados.causa,
                transacao: transacao,
                valor: dados.valor,
                copiaECola: copiaECola,
                expiraEm: dados.expiraEm,
                em: agora
            )
            return [EventosDoFluxo(.pagamento(dados.pagamento), pagamentos: .pixGerado(gerado))]
        }
    }
}

extension Pagamento {
    /// The charge, when this person may know of it: who owes it, or any of an operator's unit or of none.
    package func exigirVisivel(para ator: Ator) throws(RecusaDePagamentos) -> DadosDoPagamento {
        guard let dados, ator.alcanca(dados.usuario, em: dados.unidade) else { throw .pagamentoNaoEncontrado }
        return dados
    }
}
