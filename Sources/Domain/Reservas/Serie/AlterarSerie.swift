/// Moves occurrences of a series by as much as one of them is moved. What has begun stays as it was, and so does what was moved by
/// itself before, unless it is the one that is named.
package struct AlterarSerie: Hashable, Sendable {
    /// An occurrence on its way to another time.
    package struct Alvo: Equatable, Sendable {
        package let ocorrencia: OcorrenciaDaSerie
        package let atual: Reserva
        package let dados: DadosDaReserva
        /// The streams of `dados.pagamentos`, in that order.
        package let pagamentos: [Pagamento]
        let presenca: Presenca
    }

    package let serie: SerieID
    package let ator: Ator
    package let alcance: AlcanceDaSerie
    /// The occurrence that is named.
    package let referencia: ReservaID
    /// When the occurrence that is named is to begin, on the wall clock of the unit: the others are moved by as much.
    package let inicio: DataHoraLocal
    package let duracao: Minutos
    package let aoConflitar: ConflitoNaSerie
    package let agora: Instante

    package init(
        serie: SerieID,
        ator: Ator,
        alcance: AlcanceDaSerie,
        referencia: ReservaID,
        inicio: DataHoraLocal,
        duracao: Minutos,
        aoConflitar: ConflitoNaSerie,
        agora: Instante
    ) {
        self.serie = serie
        self.ator = ator
        self.alcance = alcance
        self.referencia = referencia
        self.inicio = inicio
        self.duracao = duracao
        self.aoConflitar = aoConflitar
        self.agora = agora
    }

    /// What is to be moved, and where to.
    /// - Parameters:
    ///   - reservas: The bookings of the occurrences that `DadosDaSerie.escolhidas` names.
    ///   - pagamentos: Of each, the streams of `DadosDaReserva.pagamentos`, in that order.
    ///   - presencas: Of each, whether somebody came.
    package func alvos(
        _ dados: DadosDaSerie,
        reservas: [ReservaID: Reserva],
        pagamentos: [ReservaID: [Pagamento]] = [:],
        presencas: [ReservaID: Presenca] = [:]
    ) throws(RecusaDeReservas) -> [Alvo] {
        let escolhidas = try dados.escolhidas(alcance, desde: referencia)
        guard let marco = reservas[referencia]?.dados, alvo(referencia, reservas) != nil else {
            throw .serie(.ocorrenciaNaoEncontrada)
        }
        let avanco = inicio.microssegundos - marco.horario.inicioLocal.microssegundos
        return escolhidas.compactMap { ocorrencia in
            guard let (atual, dados) = alvo(ocorrencia.reserva, reservas) else { return nil }
            let eAReferencia = ocorrencia.reserva == referencia
            guard eAReferencia || dados.horario.inicioLocal == ocorrencia.inicio else { return nil }
            let novo = DataHoraLocal(microssegundos: dados.horario.inicioLocal.microssegundos + avanco)
            let nova = OcorrenciaDaSerie(reserva: ocorrencia.reserva, original: ocorrencia.original, inicio: novo)
            return Alvo(
                ocorrencia: nova,
                atual: atual,
                dados: dados,
                pagamentos: pagamentos[ocorrencia.reserva] ?? [],
                presenca: presencas[ocorrencia.reserva] ?? .aguardada
            )
        }
    }

    /// First half: every rule but the seats, and the prices; without those that are where they are wanted.
    package func preparar(_ alvos: [Alvo], _ contexto: ContextoDaReserva) throws(RecusaDeReservas) -> [OcorrenciaPrevista] {
        var previstas: [OcorrenciaPrevista] = []
        for alvo in alvos {
            do throws(RecusaDeReservas) {
                let pedido = try pedido(alvo, zona: contexto.zona)
                guard let preparo = try pedido.preparar(contexto, reserva: alvo.atual, presenca: alvo.presenca) else { continue }
                previstas.append(OcorrenciaPrevista(ocorrencia: alvo.ocorrencia, resultado: .livre(preparo)))
            } catch {
                guard error.eDaOcorrencia else { throw error }
                previstas.append(OcorrenciaPrevista(ocorrencia: alvo.ocorrencia, resultado: .recusada(error)))
            }
        }
        return previstas
    }

    /// The UTC days to load for the second half.
    package static func diasDaAgenda(_ alvos: [Alvo], _ previstas: [OcorrenciaPrevista]) -> [DataCivil] {
        Set(alvos.flatMap(\.dados.diasDaAgenda)).union(CriarSerie.diasDaAgenda(previstas)).sorted()
    }

    /// Second half: the seats. An occurrence that cannot move stays, and may then be in the way of another, which stays too.
    package func decidir(
        _ alvos: [Alvo],
        _ previstas: [OcorrenciaPrevista],
        contexto: ContextoDaReserva,
        agenda: AgendaDaSerie
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let porReserva = Dictionary(alvos.map { ($0.ocorrencia.reserva, $0) }) { primeiro, _ in primeiro }
        var mantidas = previstas.filter { $0.preparo == nil }
        var movendo = previstas.filter { $0.preparo != nil }
        var partes: [EventosDoFluxo] = []
        while true {
            let (feitas, presas) = try tentar(movendo, porReserva, contexto, agenda)
            partes = feitas
            if presas.isEmpty { break }
            let fora = Set(presas.map(\.ocorrencia.reserva))
            mantidas += presas
            movendo.removeAll { fora.contains($0.ocorrencia.reserva) }
        }
        mantidas.sort { $0.ocorrencia.original < $1.ocorrencia.original }
        if aoConflitar == .recusar, let primeira = mantidas.first {
            throw .serie(
                .comConflitos(
                    quantas: mantidas.count,
                    primeira: primeira.ocorrencia.original,
                    codigo: primeira.recusa?.codigo ?? ""
                )
            )
        }
        guard !movendo.isEmpty else {
            if let recusa = mantidas.first?.recusa { throw .serie(.nenhuma(codigo: recusa.codigo)) }
            return []
        }
        let alterada = SerieAlterada(
            serie: serie,
            alcance: alcance,
            aPartirDe: porReserva[referencia]?.ocorrencia.original ?? inicio,
            duracao: duracao,
            movidas: movendo.map(\.ocorrencia),
            mantidas: mantidas.compactMap(\.pulada),
            por: ator.usuario,
            em: agora
        )
        return EventosDoFluxo.unir([EventosDoFluxo(.serie(serie), reservas: .serieAlterada(alterada))] + partes)
    }

    /// Frees all, then takes one after the other.
    private func tentar(
        _ movendo: [OcorrenciaPrevista],
        _ alvos: [ReservaID: Alvo],
        _ contexto: ContextoDaReserva,
        _ agenda: AgendaDaSerie
    ) throws(RecusaDeReservas) -> (feitas: [EventosDoFluxo], presas: [OcorrenciaPrevista]) {
        var agenda = agenda
        for prevista in movendo {
            if let alvo = alvos[prevista.ocorrencia.reserva] { agenda.liberar(alvo.dados, em: agora) }
        }
        var feitas: [EventosDoFluxo] = []
        var presas: [OcorrenciaPrevista] = []
        for prevista in movendo {
            guard let preparo = prevista.preparo, let alvo = alvos[prevista.ocorrencia.reserva] else { continue }
            do throws(RecusaDeReservas) {
                feitas += try pedido(alvo, zona: contexto.zona)
                    .decidir(
                        reserva: alvo.atual,
                        preparo: preparo,
                        agendas: agenda.agendas(preparo.diasDaAgenda),
                        pagamentos: alvo.pagamentos
                    )
                agenda.ocupar(preparo, por: alvo.ocorrencia.reserva, em: agora)
            } catch {
                guard error.eDaOcorrencia else { throw error }
                presas.append(OcorrenciaPrevista(ocorrencia: prevista.ocorrencia, resultado: .recusada(error)))
            }
        }
        return (feitas, presas)
    }

    /// The booking, while it can be moved.
    private func alvo(_ reserva: ReservaID, _ reservas: [ReservaID: Reserva]) -> (Reserva, DadosDaReserva)? {
        guard let estado = reservas[reserva] else { return nil }
        switch estado {
        case .inexistente, .expirada, .cancelada, .concluida, .ausente: return nil
        case .pendente(let dados, let expiraEm):
            return agora < min(expiraEm, dados.horario.intervalo.inicio) ? (estado, dados) : nil
        case .confirmada(let dados): return agora < dados.horario.intervalo.inicio ? (estado, dados) : nil
        }
    }

    private func pedido(_ alvo: Alvo, zona: ZonaHoraria) throws(RecusaDeReservas) -> RemarcarReserva {
        let inicio = try zona.instantePedido(alvo.ocorrencia.inicio)
        return RemarcarReserva(
            reserva: alvo.ocorrencia.reserva,
            ator: ator,
            inicio: inicio,
            fim: inicio + duracao.duracao,
            agora: agora
        )
    }
}
