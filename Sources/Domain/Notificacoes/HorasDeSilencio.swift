/// The hours in which somebody is not to be disturbed, on the wall clock of a zone: from `de` until `ate`, over midnight where
/// `ate` comes before `de`.
package struct HorasDeSilencio: Hashable, Sendable, Codable {
    package let de: HoraLocal
    package let ate: HoraLocal
    /// IANA name of the zone.
    package let fuso: String

    /// Nil where there would be no such hours, or nothing else.
    package init?(de: HoraLocal, ate: HoraLocal, fuso: String) {
        guard de != ate, de < .fimDoDia, ate < .fimDoDia else { return nil }
        self.de = de
        self.ate = ate
        self.fuso = fuso
    }

    /// When somebody may be disturbed who was to be at `agora`: then, or when the silence ends.
    ///
    /// - Parameter zona: The zone that `fuso` names.
    package func permitido(apartirDe agora: Instante, zona: ZonaHoraria) -> Instante {
        let local = zona.local(de: agora)
        let minuto = local.hora
        let emSilencio = de < ate ? de <= minuto && minuto < ate : minuto >= de || minuto < ate
        guard emSilencio else { return agora }
        let dia = minuto < ate ? local.data : local.data.somandoDias(1)
        switch zona.instantes(de: DataHoraLocal(dia, ate)) {
        case .unica(let fim): return max(agora, fim)
        case .ambigua(let primeira, let segunda): return agora <= primeira ? primeira : max(agora, segunda)
        case .inexistente(_, _, let transicao): return max(agora, transicao)
        }
    }
}
