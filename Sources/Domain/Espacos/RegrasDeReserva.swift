/// The booking rules of a space.
package struct RegrasDeReserva: Hashable, Sendable, Codable {
    package let duracaoMinima: Minutos
    package let duracaoMaxima: Minutos
    /// Starts fall on multiples of this since local midnight; durations are multiples of it.
    package let passo: Minutos
    /// Kept free before each booking.
    package let bufferAntes: Minutos
    /// Kept free after each booking.
    package let bufferDepois: Minutos
    /// A booking begins at least this long after it is made.
    package let antecedenciaMinima: Minutos
    /// A booking begins at most this long after it is made.
    package let horizonte: Minutos
    package let cancelamento: PoliticaDeCancelamento
    /// How long an unpaid booking holds its slot.
    package let retencao: Minutos
    /// How long after its start a booking waits for check-in; absent when it waits for ever.
    package let toleranciaNaoComparecimento: Minutos?
    /// How long a gestor has to approve a booking; absent where bookings need no approval.
    package let prazoDeAprovacao: Minutos?
    /// How long an offer from the waitlist holds its slot; absent where it is as long as any other hold.
    package let retencaoDaEspera: Minutos?
    /// Absent where the space sets none: `RegrasDePresenca.padrao` holds.
    package let presenca: RegrasDePresenca?

    package init(
        duracaoMinima: Minutos,
        duracaoMaxima: Minutos,
        passo: Minutos,
        bufferAntes: Minutos,
        bufferDepois: Minutos,
        antecedenciaMinima: Minutos,
        horizonte: Minutos,
        cancelamento: PoliticaDeCancelamento,
        retencao: Minutos,
        toleranciaNaoComparecimento: Minutos? = nil,
        prazoDeAprovacao: Minutos? = nil,
        retencaoDaEspera: Minutos? = nil,
        presenca: RegrasDePresenca? = nil
    ) {
        self.duracaoMinima = duracaoMinima
        self.duracaoMaxima = duracaoMaxima
        self.passo = passo
        self.bufferAntes = bufferAntes
        self.bufferDepois = bufferDepois
        self.antecedenciaMinima = antecedenciaMinima
        self.horizonte = horizonte
        self.cancelamento = cancelamento
        self.retencao = retencao
        self.toleranciaNaoComparecimento = toleranciaNaoComparecimento
        self.prazoDeAprovacao = prazoDeAprovacao
        self.retencaoDaEspera = retencaoDaEspera
        self.presenca = presenca
    }

    private enum CodingKeys: String, CodingKey {
        case duracaoMinima = "duracao_minima_min"
        case duracaoMaxima = "duracao_maxima_min"
        case passo = "passo_min"
        case bufferAntes = "buffer_antes_min"
        case bufferDepois = "buffer_depois_min"
        case antecedenciaMinima = "antecedencia_minima_min"
        case horizonte = "horizonte_min"
        case cancelamento
        case retencao = "retencao_min"
        case toleranciaNaoComparecimento = "tolerancia_nao_comparecimento_min"
        case prazoDeAprovacao = "prazo_de_aprovacao_min"
        case retencaoDaEspera = "retencao_da_espera_min"
        case presenca
    }
}
