/// Somebody left, or is taken to have left.
package struct CheckoutRealizado: Evento {
    package static let tipo = "checkin.CheckoutRealizado"

    package let reserva: ReservaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    /// What was booked.
    package let intervalo: Intervalo
    package let entrada: Instante
    /// Absent where nobody said so.
    package let por: UsuarioID?
    package let meio: MeioDePresenca
    package let codigo: CodigoID?
    /// From when on the rest of the slot was given back, buffer included; absent where nothing was left of it.
    package let liberadoDesde: Instante?
    package let em: Instante

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        intervalo: Intervalo,
        entrada: Instante,
        por: UsuarioID? = nil,
        meio: MeioDePresenca,
        codigo: CodigoID? = nil,
        liberadoDesde: Instante? = nil,
        em: Instante
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.intervalo = intervalo
        self.entrada = entrada
        self.por = por
        self.meio = meio
        self.codigo = codigo
        self.liberadoDesde = liberadoDesde
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case usuario
        case espaco
        case unidade
        case intervalo
        case entrada
        case por
        case meio
        case codigo
        case liberadoDesde = "liberado_desde"
        case em
    }
}
