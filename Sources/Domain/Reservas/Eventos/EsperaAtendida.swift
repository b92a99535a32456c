/// Who waited has the booking.
package struct EsperaAtendida: Evento {
    package static let tipo = "reservas.EsperaAtendida"

    package let inscricao: EsperaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    /// The UTC day whose stream this is in.
    package let dia: DataCivil
    package let reserva: ReservaID
    package let em: Instante

    package init(
        inscricao: EsperaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        dia: DataCivil,
        reserva: ReservaID,
        em: Instante
    ) {
        self.inscricao = inscricao
        self.usuario = usuario
        self.espaco = espaco
        self.dia = dia
        self.reserva = reserva
        self.em = em
    }
}
