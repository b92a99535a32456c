/// Somebody stayed past the end and its tolerance, and owes for it: every step that was begun since the end, at the rate of the booking.
package struct ExcedenteApurado: Evento {
    package static let tipo = "checkin.ExcedenteApurado"

    package let reserva: ReservaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    /// From the booked end to the check-out.
    package let intervalo: Intervalo
    /// How long after the end leaving would have cost nothing.
    package let tolerancia: Minutos
    package let passo: Minutos
    /// How many were begun.
    package let passos: Int
    package let preco: PrecoDoExcedente
    package let valor: Dinheiro
    package let em: Instante

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        intervalo: Intervalo,
        tolerancia: Minutos,
        passo: Minutos,
        passos: Int,
        preco: PrecoDoExcedente,
        valor: Dinheiro,
        em: Instante
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.intervalo = intervalo
        self.tolerancia = tolerancia
        self.passo = passo
        self.passos = passos
        self.preco = preco
        self.valor = valor
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case usuario
        case espaco
        case unidade
        case intervalo
        case tolerancia = "tolerancia_min"
        case passo = "passo_min"
        case passos
        case preco
        case valor
        case em
    }
}
