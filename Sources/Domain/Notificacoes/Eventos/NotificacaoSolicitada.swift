/// Somebody is to be told something over one channel.
package struct NotificacaoSolicitada: Evento {
    package static let tipo = "notificacoes.NotificacaoSolicitada"

    package let notificacao: NotificacaoID
    package let aviso: TipoDeAviso
    package let canal: Canal
    /// Nil for somebody without an account; what is sealed is then sealed under the message's own id.
    package let destinatario: UsuarioID?
    /// Where to; absent where it is the account's own address, as it is when the message is sent.
    package let endereco: Selado?
    package let idioma: IdiomaDoAviso
    package let titulo: Selado
    package let texto: Selado
    package let reserva: ReservaID?
    /// How many events the booking's stream had when this was caused: what the message says of it, and the calendar's SEQUENCE.
    package let versaoDaReserva: Int?
    /// The event that it tells of; absent where somebody wrote it.
    package let causa: EventoID?
    /// The name of the stream that `causa` is in; absent where that is the booking's.
    package let fluxo: String?
    /// Who wrote it, if somebody did.
    package let por: UsuarioID?
    /// Not before this: it may be a time of silence.
    package let enviarEm: Instante
    package let em: Instante

    package init(
        notificacao: NotificacaoID,
        aviso: TipoDeAviso,
        canal: Canal,
        destinatario: UsuarioID? = nil,
        endereco: Selado? = nil,
        idioma: IdiomaDoAviso,
        titulo: Selado,
        texto: Selado,
        reserva: ReservaID? = nil,
        versaoDaReserva: Int? = nil,
        causa: EventoID? = nil,
        fluxo: String? = nil,
        por: UsuarioID? = nil,
        enviarEm: Instante,
        em: Instante
    ) {
        self.notificacao = notificacao
        self.aviso = aviso
        self.canal = canal
        self.destinatario = destinatario
        self.endereco = endereco
        self.idioma = idioma
        self.titulo = titulo
        self.texto = texto
        self.reserva = reserva
        self.versaoDaReserva = versaoDaReserva
        self.causa = causa
        self.fluxo = fluxo
        self.por = por
        self.enviarEm = enviarEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case notificacao
        case aviso
        case canal
        case destinatario
        case endereco
        case idioma
        case titulo
        case texto
        case reserva
        case versaoDaReserva = "versao_da_reserva"
        case causa
        case fluxo
        case por
        case enviarEm = "enviar_em"
        case em
    }
}
