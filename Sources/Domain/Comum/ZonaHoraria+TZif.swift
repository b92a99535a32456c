/// Why bytes are not the rules of a zone.
package enum ErroDeZona: Error, Equatable {
    /// Not TZif, version 1, or cut short.
    case formatoInvalido
    case regraFinalInvalida
}

extension ZonaHoraria {
    /// Reads compiled zone rules (TZif version 2 or later, RFC 9636), as in `/usr/share/zoneinfo`.
    /// - Parameter nome: The IANA name, which the bytes do not carry.
    package init(nome: String, tzif: [UInt8]) throws(ErroDeZona) {
        var leitor = LeitorTZif(bytes: tzif)
        // The first block holds 32-bit times for old readers; the second repeats it with 64 bits and has the footer.
        let antigo = try leitor.cabecalho()
        guard antigo.versao >= UInt8(ascii: "2") else { throw .formatoInvalido }
        try leitor.pular(antigo.tamanho(bytesPorTempo: 4))
        let atual = try leitor.cabecalho()
        let blocos = try leitor.blocos(atual)
        self.init(
            nome: nome,
            deslocamentoInicial: blocos.deslocamentos[0],
            transicoes: blocos.transicoes,
            regraFinal: try leitor.rodape()
        )
    }
}

private struct CabecalhoTZif {
    let versao: UInt8
    let utc: Int
    let padrao: Int
    let bissextos: Int
    let tempos: Int
    let tipos: Int
    let letras: Int

    func tamanho(bytesPorTempo: Int) -> Int {
        tempos * (bytesPorTempo + 1) + tipos * 6 + letras + bissextos * (bytesPorTempo + 4) + padrao + utc
    }
}

private struct LeitorTZif {
    let bytes: [UInt8]
    var posicao = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func pular(_ quantos: Int) throws(ErroDeZona) {
        guard quantos <= bytes.count - posicao else { throw .formatoInvalido }
        posicao += quantos
    }

    /// A big-endian unsigned number.
    mutating func numero(bytes tamanho: Int) throws(ErroDeZona) -> UInt64 {
        let inicio = posicao
        try pular(tamanho)
        return bytes[inicio..<posicao].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func cabecalho() throws(ErroDeZona) -> CabecalhoTZif {
        guard try numero(bytes: 4) == 0x545A_6966 else { throw .formatoInvalido }
        let versao = UInt8(try numero(bytes: 1))
        try pular(15)
        var contagens: [Int] = []
        for _ in 0..<6 { contagens.append(Int(try numero(bytes: 4))) }
        return CabecalhoTZif(
            versao: versao,
            utc: contagens[0],
            padrao: contagens[1],
            bissextos: contagens[2],
            tempos: contagens[3],
            tipos: contagens[4],
            letras: contagens[5]
        )
    }

    mutating func blocos(
        _ cabecalho: CabecalhoTZif
    ) throws(ErroDeZona) -> (transicoes: [ZonaHoraria.Transicao], deslocamentos: [Int64]) {
        let tamanho = cabecalho.tamanho(bytesPorTempo: 8)
        let fim = posicao + tamanho
        guard tamanho <= bytes.count - posicao, cabecalho.tipos > 0 else { throw .formatoInvalido }
        var segundos: [Int64] = []
        for _ in 0..<cabecalho.tempos { segundos.append(Int64(bitPattern: try numero(bytes: 8))) }
        var tipos: [Int] = []
        for _ in 0..<cabecalho.tempos { tipos.append(Int(try numero(bytes: 1))) }
        var deslocamentos: [Int64] = []
        for _ in 0..<cabecalho.tipos {
            deslocamentos.append(Int64(Int32(truncatingIfNeeded: try numero(bytes: 4))))
            try pular(2)
        }
        guard
            tipos.allSatisfy(deslocamentos.indices.contains),
            deslocamentos.allSatisfy({ abs($0) < 26 * 3_600 }),
            zip(segundos, segundos.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .formatoInvalido }
        posicao = fim
        let transicoes = zip(segundos, tipos).map { ZonaHoraria.Transicao(segundos: $0, deslocamento: deslocamentos[$1]) }
        return (transicoes, deslocamentos)
    }

    /// The POSIX rule between two line feeds; empty when the last offset holds for ever.
    mutating func rodape() throws(ErroDeZona) -> RegraPosix? {
        guard try numero(bytes: 1) == 0x0A, let fim = bytes[posicao...].firstIndex(of: 0x0A) else { throw .formatoInvalido }
        let texto = String(decoding: bytes[posicao..<fim], as: UTF8.self)
        guard !texto.isEmpty else { return nil }
        guard let regra = RegraPosix(texto) else { throw .regraFinalInvalida }
        return regra
    }
}
