extension RemarcarReserva {
    /// How the difference of two prices is settled.
    struct Acerto {
        var diferenca: Dinheiro
        var aPagar: Dinheiro?
        var pagarAte: Instante?
        var aDevolver: Dinheiro?
        /// Why the booking stands after the move, where it did not before.
        var confirma: MotivoDaConfirmacao?
    }

    /// What was not paid yet is to be paid at the new price. Of what was paid, a cheaper time gives back the difference; a dearer one
    /// waits for it as a new booking does for its price, unless an operator moves the booking, who takes the money at the desk.
    func acerto(de estado: Reserva, _ dados: DadosDaReserva, para preparo: PreparoDaReserva) throws(RecusaDeReservas) -> Acerto {
        let novo = preparo.cotacao.total
        var acerto = Acerto(diferenca: try menos(novo, dados.cotacao.total))
        guard let pago = try pago(estado, dados) else {
            acerto.confirma = novo == .zero && dados.aprovacaoAte == nil ? .precoZero : nil
            return acerto
        }
        let falta = try menos(novo, pago)
        if falta > .zero && !ator.opera {
            acerto.aPagar = falta
            acerto.pagarAte = preparo.pagarAte(dados.origem, em: agora)
            return acerto
        }
        if falta < .zero { acerto.aDevolver = try menos(.zero, falta) }
        if dados.devido != nil { acerto.confirma = falta > .zero ? .operador : .semDiferenca }
        return acerto
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
