/// Joins the line for a span that is taken now. Whoever finds it free is told so: nobody waits for what they could book.
package struct EntrarNaEspera: Hashable, Sendable {
    package let inscricao: EsperaID
    package let usuario: UsuarioID
    package let ator: Ator
    package let inicio: Instante
    package let fim: Instante
    package let lugares: Int
    package let agora: Instante

    package init(
        inscricao: EsperaID,
        usuario: UsuarioID,
        ator: Ator,
        inicio: Instante,
        fim: Instante,
        lugares: Int,
        agora: Instante
    ) {
        self.inscricao = inscricao
        self.usuario = usuario
        self.ator = ator
        self.inicio = inicio
        self.fim = fim
        self.lugares = lugares
        self.agora = agora
    }

    /// The UTC day whose line it is.
    package var dia: DataCivil { inicio.diaUTC }

    /// First half: every rule but the seats.
    package func preparar(_ contexto: ContextoDaReserva) throws(RecusaDeReservas) -> PreparoDaReserva {
        try contexto.exigirPedido(de: ator, para: usuario)
        guard fim - inicio <= Espera.maiorDuracao.duracao else { throw .espera(.longa) }
        return try contexto.preparar(inicio: inicio, fim: fim, lugares: lugares, agora: agora)
    }

    /// Second half: that the span is taken.
    /// - Parameter agendas: The days that `preparo.diasDaAgenda` names. That they hold when this is recorded is what keeps the line from
    ///   missing a span that is freed meanwhile.
    package func decidir(espera: Espera, preparo: PreparoDaReserva, agendas: Agendas) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        if espera.inscricao(inscricao) != nil { return [] }
        let minhas = espera.inscricoes.filter { $0.aberta && $0.usuario == usuario }
        guard !minhas.contains(where: { $0.intervalo.sobrepoe(preparo.horario.intervalo) }) else { throw .espera(.jaEspera) }
        guard espera.inscricoes.count(where: \.aberta) < Espera.maximo else { throw .espera(.cheia) }
        guard preparo.semLugar(agendas) else { throw .espera(.livre) }
        let inscrita = EsperaInscrita(
            inscricao: inscricao,
            usuario: usuario,
            espaco: preparo.espaco,
            unidade: preparo.unidade,
            dia: dia,
            fuso: preparo.horario.fuso,
            intervalo: preparo.horario.intervalo,
            lugares: lugares,
            em: agora
        )
        return [EventosDoFluxo(.espera(preparo.espaco, dia), reservas: .esperaInscrita(inscrita))]
    }
}

extension PreparoDaReserva {
    /// Whether the seats are not free.
    package func semLugar(_ agendas: Agendas) -> Bool {
        do throws(RecusaDeReservas) {
            try conferirLugares(agendas, exceto: nil)
            return false
        } catch {
            return true
        }
    }
}
