/// Bookings were made by one rule; each of them is recorded in a stream of its own, in the same append.
package struct SerieCriada: Evento {
    package static let tipo = "reservas.SerieCriada"

    package let serie: SerieID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    /// IANA name of the zone of all local times.
    package let fuso: String
    package let regra: RegraDeRecorrencia
    /// Of each occurrence; exact, whatever the clocks do meanwhile.
    package let duracao: Minutos
    package let lugares: Int
    /// Those that were booked, in order.
    package let ocorrencias: [OcorrenciaDaSerie]
    /// Those that could not be booked and were left out, in order.
    package let puladas: [OcorrenciaPulada]
    /// The member, or the operator who booked for them.
    package let criadaPor: UsuarioID
    package let em: Instante

    package init(
        serie: SerieID,
        usuario: UsuarioID,
        espaco: EspacoID,
        unidade: UnidadeID,
        fuso: String,
        regra: RegraDeRecorrencia,
        duracao: Minutos,
        lugares: Int,
        ocorrencias: [OcorrenciaDaSerie],
        puladas: [OcorrenciaPulada],
        criadaPor: UsuarioID,
        em: Instante
    ) {
        self.serie = serie
        self.usuario = usuario
        self.espaco = espaco
        self.unidade = unidade
        self.fuso = fuso
        self.regra = regra
        self.duracao = duracao
        self.lugares = lugares
        self.ocorrencias = ocorrencias
        self.puladas = puladas
        self.criadaPor = criadaPor
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case serie
        case usuario
        case espaco
        case unidade
        case fuso
        case regra
        case duracao
        case lugares
        case ocorrencias
        case puladas
        case criadaPor = "criada_por"
        case em
    }
}
