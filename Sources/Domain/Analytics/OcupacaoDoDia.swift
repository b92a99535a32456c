/// What was computed of a unit's local day so far: the stream `ocupacao-{unidade}-{yyyy-mm-dd}`.
package enum OcupacaoDoDia: EstadoDeFluxo {
    case emAberto
    /// The latest revision.
    case apurada(OcupacaoDiariaApurada)

    package static let inicial = OcupacaoDoDia.emAberto

    package func evoluindo(com evento: EventoDeAnalytics) -> OcupacaoDoDia {
        switch evento {
        case .ocupacaoDiariaApurada(let apuracao): .apurada(apuracao)
        }
    }
}
