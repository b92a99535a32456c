extension ZonaHoraria {
    /// Describes the zone as far as an interval needs it: each stretch of constant offset that touches it is an observance
    /// (RFC 5545, section 3.6.5).
    func escreverVTIMEZONE(em intervalo: Intervalo, nas linhas: inout LinhasICS) {
        linhas.acrescentar("BEGIN", "VTIMEZONE")
        linhas.acrescentar("TZID", nome)
        var anterior: Int64?
        for regime in regimes(de: intervalo.inicio.segundos, ate: intervalo.fim.segundos) where regime.deslocamento != anterior {
            escrever(regime, nas: &linhas)
            anterior = regime.deslocamento
        }
        linhas.acrescentar("END", "VTIMEZONE")
    }

    private func escrever(_ regime: Regime, nas linhas: inout LinhasICS) {
        let antes = regime.inicio > -9_000_000_000_000 ? self.regime(em: regime.inicio - 1).deslocamento : regime.deslocamento
        let depois = regime.fim < 9_000_000_000_000 ? self.regime(em: regime.fim).deslocamento : regime.deslocamento
        // Summer time lies between two times with less of it.
        let parte = regime.deslocamento > antes && regime.deslocamento > depois ? "DAYLIGHT" : "STANDARD"
        linhas.acrescentar("BEGIN", parte)
        linhas.acrescentar("DTSTART", inicio(de: regime, antes: antes))
        linhas.acrescentar("TZOFFSETFROM", Self.deslocamentoICS(antes))
        linhas.acrescentar("TZOFFSETTO", Self.deslocamentoICS(regime.deslocamento))
        linhas.acrescentar("END", parte)
    }

    /// On the wall clock as it stood before; a stretch without a beginning begins with the epoch.
    private func inicio(de regime: Regime, antes: Int64) -> String {
        let primeiro: Int64 = -62_000_000_000
        guard regime.inicio > primeiro else { return "19700101T000000" }
        return DataHoraLocal(microssegundos: (regime.inicio + antes) * 1_000_000).ics
    }

    private static func deslocamentoICS(_ segundos: Int64) -> String {
        func dois(_ numero: Int64) -> String { numero < 10 ? "0\(numero)" : "\(numero)" }
        let absoluto = abs(segundos)
        let resto = absoluto % 60 == 0 ? "" : dois(absoluto % 60)
        return (segundos < 0 ? "-" : "+") + dois(absoluto / 3_600) + dois(absoluto / 60 % 60) + resto
    }
}
