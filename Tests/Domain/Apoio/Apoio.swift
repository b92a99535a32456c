import Domain
import FoundationEssentials
import Testing

/// Short ways to write values that a test knows to be valid.
func instante(_ texto: String) throws -> Instante { try #require(Instante(texto), "\(texto)") }
func local(_ texto: String) throws -> DataHoraLocal { try #require(DataHoraLocal(texto), "\(texto)") }
func data(_ texto: String) throws -> DataCivil { try #require(DataCivil(texto), "\(texto)") }
func hora(_ texto: String) throws -> HoraLocal { try #require(HoraLocal(texto), "\(texto)") }
func minutos(_ valor: Int) throws -> Minutos { try #require(Minutos(valor)) }
func percentual(_ valor: Int) throws -> Percentual { try #require(Percentual(valor)) }
func reais(_ centavos: Int64) -> Dinheiro { Dinheiro(centavos: centavos) }

func intervalo(_ inicio: String, _ fim: String) throws -> Intervalo {
    try #require(Intervalo(inicio: instante(inicio), fim: instante(fim)), "\(inicio) \(fim)")
}

func faixa(_ abre: String, _ fecha: String) throws -> FaixaHoraria {
    try #require(FaixaHoraria(abre: hora(abre), fecha: hora(fecha)), "\(abre) \(fecha)")
}

/// A zone of the system's tzdata.
func zonaDoSistema(_ nome: String) throws -> ZonaHoraria {
    let bytes = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(nome)")))
    return try ZonaHoraria(nome: nome, tzif: bytes)
}

func zona(_ nome: String) throws -> ZonaHoraria { try zonaDoSistema(nome) }

/// The n-th id of its kind.
func id<Marca>(_ numero: UInt64) -> Identificador<Marca> {
    Identificador(alto: 0x0189_0A5D_AC96_774B, baixo: 0xBCCE_0000_0000_0000 | numero)
}

/// The events of decisions stream after stream, read back from their stored bytes: what a decider emits, a reader can read.
func gravados(_ decididos: [EventosDoFluxo]) throws -> [EventoDoDominio] {
    try decididos.flatMap(\.eventos).map { evento in
        let lido = try CodecDeEventos.padrao.decodificar(CodecDeEventos.padrao.codificar(evento))
        #expect(lido == evento)
        return lido
    }
}

/// The n-th event of a decision's first stream.
func evento(_ numero: Int, _ decididos: [EventosDoFluxo]) throws -> EventoDoDominio {
    let eventos = try #require(decididos.first).eventos
    try #require(numero < eventos.count)
    return eventos[numero]
}
