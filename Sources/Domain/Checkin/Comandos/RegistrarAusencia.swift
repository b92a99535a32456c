/// The time in which somebody should have come is over. What no longer applies is ignored.
package struct RegistrarAusencia: Hashable, Sendable {
    package let reserva: ReservaID
    /// What was paid for it so far.
    package let pago: Dinheiro
    package let agora: Instante

    package init(
        reserva: ReservaID,
        pago: Dinheiro,
        agora: Instante
    ) {
        self.reserva = reserva
        self.pago = pago
        self.agora = agora
    }

    /// The agenda days of the booking are written to as well: `DadosDaReserva.diasDaAgenda`; so is what it drew on
    /// (`DadosDaReserva.fluxosDosBeneficios`), of which it gives back as large a share as of the money.
    package func decidir(
        reserva estado: Reserva,
        presenca: Presenca,
        beneficios: BeneficiosDoMembro = .nenhum
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        guard case .aguardada = presenca, case .confirmada(let dados) = estado,
            let tolerancia = dados.regras.toleranciaNaoComparecimento,
            let limite = dados.limiteDeComparecimento, agora >= limite
        else { return [] }
        let ausencia = NaoComparecimentoRegistrado(
            reserva: reserva,
            usuario: dados.usuario,
            espaco: dados.espaco,
            unidade: dados.unidade,
            intervalo: dados.horario.intervalo,
            tolerancia: tolerancia,
            limite: limite,
            em: agora
        )
        let perdida = ReservaNaoComparecida(
            reserva: reserva,
            limite: limite,
            reembolso: try dados.reembolsoPorAusencia(de: pago),
            em: agora
        )
        // What is over can be given to nobody any more.
        let resto = agora < dados.horario.ocupacao.fim ? dados.liberacao(em: agora) : []
        return [
            EventosDoFluxo(.presenca(reserva), checkin: [.naoComparecimentoRegistrado(ausencia)]),
            EventosDoFluxo(.reserva(reserva), reservas: .reservaNaoComparecida(perdida)),
        ] + resto + beneficios.devolucao(de: reserva, perdida.reembolso.percentual, em: agora)
    }
}

extension DadosDaReserva {
    /// By the rules of presence, whatever the tiers of cancellation say.
    fileprivate func reembolsoPorAusencia(de pago: Dinheiro) throws(RecusaDeReservas) -> Reembolso {
        let percentual = regrasDePresenca.devolucaoPorAusencia
        do {
            return Reembolso(
                regrasVersao: regras.versao,
                antecedencia: .zero,
                percentual: percentual,
                pago: pago,
                valor: try pago.vezes(percentual),
                excepcional: false
            )
        } catch {
            throw .preco(.valorForaDosLimites)
        }
    }
}
