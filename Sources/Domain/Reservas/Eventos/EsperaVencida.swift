/// The wait ended without a booking.
package struct EsperaVencida: Evento {
    package static let tipo = "reservas.EsperaVencida"

    package let inscricao: EsperaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    /// The UTC day whose stream this is in.
    package let dia: DataCivil
    package let motivo: MotivoDaEsperaVencida
    /// The hold that was offered and not taken.
    package let reserva: ReservaID?
    package let em: Instante

    package init(
        inscricao: EsperaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        dia: DataCivil,
        motivo: MotivoDaEsperaVencida,
        reserva: ReservaID? = nil,
        em: Instante
    ) {
        self.inscricao = inscricao
        self.usuario = usuario
        self.espaco = espaco
        self.dia = dia
        self.motivo = motivo
        self.reserva = reserva
        self.em = em
    }
}
