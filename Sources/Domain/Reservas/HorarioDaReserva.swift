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
    /// How the clocks are set while the booking lasts, by the rules of the zone at the time of booking: with the local times they say
    /// on which dates and hours its time falls, whatever becomes of the rules. Absent where the clocks are left alone, and in
    /// bookings made before this was recorded.
    package let mudancas: [MudancaDeRelogio]?

    package init(
        intervalo: Intervalo,
        ocupacao: Intervalo,
        fuso: String,
        inicioLocal: DataHoraLocal,
        fimLocal: DataHoraLocal,
        lugares: Int,
        mudancas: [MudancaDeRelogio]? = nil
    ) {
        self.intervalo = intervalo
        self.ocupacao = ocupacao
        self.fuso = fuso
        self.inicioLocal = inicioLocal
        self.fimLocal = fimLocal
        self.lugares = lugares
        self.mudancas = mudancas
    }

    /// On the wall clock of a zone.
    package init(_ intervalo: Intervalo, ocupacao: Intervalo, zona: ZonaHoraria, lugares: Int) {
        let mudancas = zona.mudancas(em: intervalo)
        self.init(
            intervalo: intervalo,
            ocupacao: ocupacao,
            fuso: zona.nome,
            inicioLocal: zona.local(de: intervalo.inicio),
            fimLocal: zona.local(de: intervalo.fim),
            lugares: lugares,
            mudancas: mudancas.isEmpty ? nil : mudancas
        )
    }

    /// The booked time as the wall clock shows it, without buffers.
    package var trechosLocais: [TrechoLocal] {
        TrechoLocal.dividir(
            intervalo,
            deslocamento: Duracao(microssegundos: inicioLocal.microssegundos - intervalo.inicio.microssegundos),
            mudancas: mudancas ?? []
        )
    }

    private enum CodingKeys: String, CodingKey {
        case intervalo
        case ocupacao
        case fuso
        case inicioLocal = "inicio_local"
        case fimLocal = "fim_local"
        case lugares
        case mudancas
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
        mudancas = try carga.valorSeHouver(CodingKeys.mudancas, de: ficha)
    }
}
