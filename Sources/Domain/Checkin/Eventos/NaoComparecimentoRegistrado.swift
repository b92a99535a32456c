/// Nobody came. Recorded together with `ReservaNaoComparecida`, which closes the booking and says what comes back.
package struct NaoComparecimentoRegistrado: Evento {
    package static let tipo = "checkin.NaoComparecimentoRegistrado"

    package let reserva: ReservaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package let intervalo: Intervalo
    package let tolerancia: Minutos
    /// Until when they were waited for.
    package let limite: Instante
    package let em: Instante

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        intervalo: Intervalo,
        tolerancia: Minutos,
        limite: Instante,
        em: Instante
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.intervalo = intervalo
        self.tolerancia = tolerancia
        self.limite = limite
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case usuario
        case espaco
        case unidade
        case intervalo
        case tolerancia = "tolerancia_min"
        case limite
        case em
    }
}
