/// The span is free and held for who waited: the hold is a booking of theirs, recorded in the same append.
package struct EsperaOferecida: Evento {
    package static let tipo = "reservas.EsperaOferecida"

    package let inscricao: EsperaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    /// The UTC day whose stream this is in.
    package let dia: DataCivil
    /// The hold.
    package let reserva: ReservaID
    /// When the hold runs out; absent where there is nothing to pay and the booking stands.
    package let expiraEm: Instante?
    package let em: Instante

    package init(
        inscricao: EsperaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        dia: DataCivil,
        reserva: ReservaID,
        expiraEm: Instante? = nil,
        em: Instante
    ) {
        self.inscricao = inscricao
        self.usuario = usuario
        self.espaco = espaco
        self.dia = dia
        self.reserva = reserva
        self.expiraEm = expiraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case inscricao
        case usuario
        case espaco
        case dia
        case reserva
        case expiraEm = "expira_em"
        case em
    }
}
