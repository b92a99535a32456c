extension SolicitarReserva {
    /// How long a new booking holds its slot, and for what.
    struct Prazo {
        /// Nil where the booking stands at once.
        let expiraEm: Instante?
        let aprovacaoAte: Instante?
        /// Why it stands at once.
        let motivo: MotivoDaConfirmacao?
    }

    /// A booking waits for approval first, where its space wants one and whoever books cannot give it; then for payment, where there
    /// is something to pay and it was not taken at the desk.
    func prazo(_ preparo: PreparoDaReserva) -> Prazo {
        if ator.papel(em: preparo.unidade) < .gestor, let prazo = preparo.prazoDeAprovacao {
            let ate = min(agora + prazo.duracao, inicio)
            return Prazo(expiraEm: ate, aprovacaoAte: ate, motivo: nil)
        }
        if preparo.cotacao.total == .zero { return Prazo(expiraEm: nil, aprovacaoAte: nil, motivo: .precoZero) }
        if origem?.pagamento == .balcao { return Prazo(expiraEm: nil, aprovacaoAte: nil, motivo: .operador) }
        return Prazo(expiraEm: preparo.pagarAte(origem, em: agora), aprovacaoAte: nil, motivo: nil)
    }

    /// What only an operator may ask for.
    func conferirOrigem(_ contexto: ContextoDaReserva) throws(RecusaDeReservas) {
        guard let origem else { return }
        let extraordinaria = origem.pagamento != nil || origem.visitante != nil || origem.dispensa != nil
        guard !extraordinaria || ator.atende(contexto.espaco.dados?.unidade) else { throw .proibido }
    }
}

extension PreparoDaReserva {
    /// When the hold of a booking runs out that waits for payment from now on.
    ///
    /// An occurrence of a series holds its slot as long as giving it up would cost nothing: until then an unpaid booking takes from
    /// nobody what a paid one would not. An offer from the waitlist may have a longer hold than others, for it comes unexpected.
    func pagarAte(_ origem: OrigemDaReserva?, em agora: Instante) -> Instante {
        let comum = agora + retencao.duracao
        if origem?.espera != nil, let retencaoDaEspera { return agora + retencaoDaEspera.duracao }
        guard origem?.serie != nil, let antecedencia = regras.cancelamento.antecedenciaSemCusto else { return comum }
        return max(comum, horario.intervalo.inicio - antecedencia.duracao)
    }
}

extension PoliticaDeCancelamento {
    /// The shortest notice that gives everything back; nil where none does.
    var antecedenciaSemCusto: Minutos? {
        faixas.last { $0.percentual == .todo }?.antecedencia
    }
}
