/// Somebody came.
package struct CheckinRealizado: Evento {
    package static let tipo = "checkin.CheckinRealizado"

    package let reserva: ReservaID
    /// Whose booking it is.
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    /// What was booked when they came.
    package let intervalo: Intervalo
    package let por: UsuarioID
    package let meio: MeioDePresenca
    /// The code that was used up, where one was shown.
    package let codigo: CodigoID?
    /// When they are taken to have left unless they say so before.
    package let encerraEm: Instante
    package let em: Instante

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        intervalo: Intervalo,
        por: UsuarioID,
        meio: MeioDePresenca,
        codigo: CodigoID? = nil,
        encerraEm: Instante,
        em: Instante
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.intervalo = intervalo
        self.por = por
        self.meio = meio
        self.codigo = codigo
        self.encerraEm = encerraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case usuario
        case espaco
        case unidade
        case intervalo
        case por
        case meio
        case codigo
        case encerraEm = "encerra_em"
        case em
    }
}
