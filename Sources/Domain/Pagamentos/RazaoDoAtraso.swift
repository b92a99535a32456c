/// Why what was paid late could not be had any more. Stored as its name.
package enum RazaoDoAtraso: String, Sendable, Codable, CaseIterable {
    /// The booking stands, or stood, without this payment.
    case semEfeito = "sem_efeito"
    /// The booking was cancelled.
    case cancelada
    /// It is not what the booking waits for any more: it was moved since.
    case outroValor = "outro_valor"
    /// The booked time has begun: nobody takes it again.
    case horarioComecou = "horario_comecou"
    /// The space is out of use.
    case espacoInativo = "espaco_inativo"
    /// What was paid before is on its way back, because the booking had expired.
    case jaDevolvida = "ja_devolvida"
    /// Others have taken the seats.
    case semLugar = "sem_lugar"
    /// The coupon or the credits that the booking drew on have been used meanwhile.
    case semBeneficios = "sem_beneficios"
    /// The subscription has ended.
    case assinaturaEncerrada = "assinatura_encerrada"
}
