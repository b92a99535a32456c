/// When a booking is, in instants and on the wall clock of its unit at the time of booking, and how much it takes.
package struct HorarioDaReserva: Hashable, Sendable, Codable {
    package let intervalo: Intervalo
    /// The interval with the buffers of the space: what the agenda holds.
    package let ocupacao: Intervalo
    /// IANA name of the zone of the local times.
    package let fuso: String
    package let inicioLocal: DataHoraLocal
    package let fimLocal: DataHoraLocal
    package let lugares: Int

    package init(
        intervalo: Intervalo,
        ocupacao: Intervalo,
        fuso: String,
        inicioLocal: DataHoraLocal,
        fimLocal: DataHoraLocal,
        lugares: Int
    ) {
        self.intervalo = intervalo
        self.ocupacao = ocupacao
        self.fuso = fuso
        self.inicioLocal = inicioLocal
        self.fimLocal = fimLocal
        self.lugares = lugares
    }

    private enum CodingKeys: String, CodingKey {
        case intervalo
        case ocupacao
        case fuso
        case inicioLocal = "inicio_local"
        case fimLocal = "fim_local"
        case lugares
    }
}

extension HorarioDaReserva: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        intervalo = try carga.valor(CodingKeys.intervalo, de: ficha)
        ocupacao = try carga.valor(CodingKeys.ocupacao, de: ficha)
        fuso = try carga.valor(CodingKeys.fuso, de: ficha)
        inicioLocal = try carga.valor(CodingKeys.inicioLocal, de: ficha)
        fimLocal = try carga.valor(CodingKeys.fimLocal, de: ficha)
        lugares = try carga.valor(CodingKeys.lugares, de: ficha)
    }
}
