/// The tariff of a unit with all its versions: the stream `tarifario-{unidade}`.
package enum Tarifario: EstadoDeFluxo {
    case naoPublicado
    /// Never empty; in order of publication.
    case publicado([VersaoDoTarifario])

    package static let inicial = Tarifario.naoPublicado

    package func evoluindo(com evento: EventoDePrecos) -> Tarifario {
        switch evento {
        case .tarifarioPublicado(let publicacao):
            .publicado(
                versoes + [
                    VersaoDoTarifario(
                        versao: publicacao.versao,
                        vigenteDesde: publicacao.vigenteDesde,
                        tarifas: publicacao.tarifas,
                        multiplicadores: publicacao.multiplicadores
                    )
                ]
            )
        case .planoPublicado, .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado, .assinaturaIniciada,
            .assinaturaRenovada, .planoTrocado, .trocaDePlanoMarcada, .trocaDePlanoDesfeita, .assinaturaCancelada, .creditosConcedidos,
            .creditosConsumidos, .creditosDevolvidos:
            self
        }
    }

    package var versoes: [VersaoDoTarifario] {
        switch self {
        case .naoPublicado: []
        case .publicado(let versoes): versoes
        }
    }

    /// The version for bookings that begin on a local date: of those in force by then the one that came into force last,
    /// and of two with the same date the one published last.
    package func vigente(em data: DataCivil) -> VersaoDoTarifario? {
        versoes.filter { $0.vigenteDesde <= data }.max { ($0.vigenteDesde, $0.versao) < ($1.vigenteDesde, $1.versao) }
    }
}

/// One version of a unit's tariff.
package struct VersaoDoTarifario: Hashable, Sendable {
    package let versao: VersaoDeRegra
    package let vigenteDesde: DataCivil
    package let tarifas: [Tarifa]
    package let multiplicadores: [Multiplicador]

    /// The rate of a space: its own, or else that of its type.
    func tarifa(de espaco: EspacoID, tipo: TipoDeEspaco) -> Tarifa? {
        tarifas.first { $0.alvo == .espaco(espaco) } ?? tarifas.first { $0.alvo == .tipo(tipo) }
    }

    /// The multiplier in force at a wall clock time; `nil` at the plain rate.
    func multiplicador(em local: DataHoraLocal) -> Multiplicador? {
        let dia = local.data.diaDaSemana
        return multiplicadores.first { $0.dias.contains(dia) && $0.faixa.contem(local.hora) }
    }

    /// The next time of this day at which another multiplier may begin or end; 24:00 at the latest.
    func proximaFronteira(depoisDe local: DataHoraLocal) -> HoraLocal {
        let dia = local.data.diaDaSemana
        let fronteiras = multiplicadores.filter { $0.dias.contains(dia) }.flatMap { [$0.faixa.abre, $0.faixa.fecha] }
        return fronteiras.filter { $0 > local.hora }.min() ?? .fimDoDia
    }
}
