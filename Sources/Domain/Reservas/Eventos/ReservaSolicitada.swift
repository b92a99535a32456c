/// A booking holds its slot. It carries every rule and input that its price and its later refund are computed from.
package struct ReservaSolicitada: Evento {
    package static let tipo = "reservas.ReservaSolicitada"

    package let reserva: ReservaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package let horario: HorarioDaReserva
    package let regras: RegrasAplicadas
    package let cotacao: Cotacao
    package let notas: Selado?
    /// When the hold runs out; absent when the booking is confirmed in the same append.
    package let expiraEm: Instante?
    /// The member, or the operator who booked for them.
    package let criadaPor: UsuarioID
    package let em: Instante
    package let origem: OrigemDaReserva?
    /// The space takes bookings only with a gestor's approval, which has to come by then: until it does, nothing is to be paid, and
    /// the slot is held. Absent where no approval is needed.
    package let aprovacaoAte: Instante?

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        horario: HorarioDaReserva,
        regras: RegrasAplicadas,
        cotacao: Cotacao,
        notas: Selado? = nil,
        expiraEm: Instante? = nil,
        criadaPor: UsuarioID,
        em: Instante,
        origem: OrigemDaReserva? = nil,
        aprovacaoAte: Instante? = nil
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.horario = horario
        self.regras = regras
        self.cotacao = cotacao
        self.notas = notas
        self.expiraEm = expiraEm
        self.criadaPor = criadaPor
        self.em = em
        self.origem = origem
        self.aprovacaoAte = aprovacaoAte
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case usuario
        case espaco
        case unidade
        case horario
        case regras
        case cotacao
        case notas
        case expiraEm = "expira_em"
        case criadaPor = "criada_por"
        case em
        case origem
        case aprovacaoAte = "aprovacao_ate"
    }
}

extension ReservaSolicitada: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        reserva = try carga.valor(CodingKeys.reserva, de: ficha)
        usuario = try carga.valor(CodingKeys.usuario, de: ficha)
        espaco = try carga.valor(CodingKeys.espaco, de: ficha)
        unidade = try carga.valor(CodingKeys.unidade, de: ficha)
        horario = try carga.valor(CodingKeys.horario, de: ficha)
        regras = try carga.valor(CodingKeys.regras, de: ficha)
        cotacao = try carga.valor(CodingKeys.cotacao, de: ficha)
        notas = try carga.valorSeHouver(CodingKeys.notas, de: ficha)
        expiraEm = try carga.valorSeHouver(CodingKeys.expiraEm, de: ficha)
        criadaPor = try carga.valor(CodingKeys.criadaPor, de: ficha)
        em = try carga.valor(CodingKeys.em, de: ficha)
        origem = try carga.valorSeHouver(CodingKeys.origem, de: ficha)
        aprovacaoAte = try carga.valorSeHouver(CodingKeys.aprovacaoAte, de: ficha)
    }
}
