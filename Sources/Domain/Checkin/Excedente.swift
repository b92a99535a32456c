/// What somebody owes for staying on after a booking: the stream `presenca-{reserva}`.
package enum Excedente: EstadoDeFluxo {
    case nenhum
    case apurado(ExcedenteApurado)

    package static let inicial = Excedente.nenhum

    package func evoluindo(com evento: EventoDeCheckin) -> Excedente {
        switch evento {
        case .excedenteApurado(let apurado): .apurado(apurado)
        case .checkinRealizado, .checkoutRealizado, .naoComparecimentoRegistrado, .painelAutorizado, .painelRevogado: self
        }
    }
}
