extension RemarcarReserva {
    /// How the difference of two prices is settled.
    struct Acerto {
        var diferenca: Dinheiro
        var aPagar: Dinheiro?
        var pagarAte: Instante?
        var aDevolver: Dinheiro?
        var retido: Dinheiro?
        var devolveAte: Percentual?
        var expiraEm: Instante?
        /// Why the booking stands after the move, where it did not before.
        var confirma: MotivoDaConfirmacao?
    }

    /// What was not paid yet is to be paid at the new price. Of what was paid, a cheaper time gives back the difference; a dearer one
    /// waits for it as a new booking does for its price, unless an operator moves the booking, who takes the money at the desk.
    ///
    /// Who moves their own booking gives up its time, with the notice that is left: no more comes back of the difference, and later of the
    /// rest, than had they given it up altogether. Otherwise everybody would move first and cancel then.
    func acerto(de estado: Reserva, _ dados: DadosDaReserva, para preparo: PreparoDaReserva) throws(RecusaDeReservas) -> Acerto {
        let novo = preparo.cotacao.total
        var acerto = Acerto(diferenca: try menos(novo, dados.cotacao.total))
        guard let pago = try pago(estado, dados) else {
            acerto.confirma = novo == .zero && dados.aprovacaoAte == nil ? .precoZero : nil
            acerto.expiraEm = retencaoMenor(estado, dados, preparo)
            return acerto
        }
        let percentual = percentual(dados)
        if percentual < .todo { acerto.devolveAte = percentual }
        let falta = try menos(novo, pago)
        if falta > .zero && !ator.opera(em: dados.unidade) {
            acerto.aPagar = falta
            acerto.pagarAte = preparo.pagarAte(dados.origem, em: agora)
            return acerto
        }
        if falta < .zero {
            let excesso = try menos(.zero, falta)
            let volta = try parte(excesso, percentual)
            acerto.aDevolver = volta > .zero ? volta : nil
            acerto.retido = volta < excesso ? try menos(excesso, volta) : nil
        }
        if dados.devido != nil { acerto.confirma = falta > .zero ? .operador : .semDiferenca }
        return acerto
    }

    /// What comes back of what the move frees; the house itself gives everything back.
    func percentual(_ dados: DadosDaReserva) -> Percentual {
        ator.opera(em: dados.unidade) || dados.confirmadaEm == nil ? .todo : dados.percentualDeDevolucao(em: agora)
    }

    private func parte(_ valor: Dinheiro, _ percentual: Percentual) throws(RecusaDeReservas) -> Dinheiro {
        do { return try valor.vezes(percentual) } catch { throw .preco(.valorForaDosLimites) }
    }

    /// When the hold of an unpaid booking runs out at its new time, where that is sooner: nobody holds longer what begins sooner.
    private func retencaoMenor(_ estado: Reserva, _ dados: DadosDaReserva, _ preparo: PreparoDaReserva) -> Instante? {
        guard case .pendente(_, let expiraEm) = estado else { return nil }
        let limite: Instante
        if dados.aprovacaoAte != nil {
            limite = preparo.horario.intervalo.inicio
        } else if dados.origem?.serie != nil {
            limite = preparo.pagarAte(dados.origem, em: agora)
        } else {
            return nil
        }
        return limite < expiraEm ? limite : nil
    }

    /// What of the present price was settled; nil where none of it was.
    private func pago(_ estado: Reserva, _ dados: DadosDaReserva) throws(RecusaDeReservas) -> Dinheiro? {
        switch estado {
        case .confirmada: dados.cotacao.total
        case .pendente: try dados.devido.map { devido throws(RecusaDeReservas) in try menos(dados.cotacao.total, devido) }
        case .inexistente, .expirada, .cancelada, .concluida, .ausente: nil
        }
    }

    private func menos(_ a: Dinheiro, _ b: Dinheiro) throws(RecusaDeReservas) -> Dinheiro {
        do { return try a.subtraindo(b) } catch { throw .preco(.valorForaDosLimites) }
    }
}
