extension RegraDeRecorrencia {
    private static let maiorTexto = 400

    /// Reads an RRULE, with or without `RRULE:` before it. Parts may come in any order, each once.
    ///
    /// - Throws: `RecusaDeSerie`, which names the part that is wrong.
    package init(_ texto: String) throws(RecusaDeSerie) {
        let partes = try Self.partes(texto)
        guard let frequencia = partes["FREQ"].flatMap(Frequencia.init(rawValue:)) else { throw .regraInvalida(parte: "FREQ") }
        try self.init(
            frequencia,
            intervalo: try partes["INTERVAL"].map { valor throws(RecusaDeSerie) in try Self.numero(valor, "INTERVAL") } ?? 1,
            termino: try Self.termino(partes),
            diasDoMes: try Self.lista(partes["BYMONTHDAY"], "BYMONTHDAY") { Self.inteiro($0) },
            dias: try Self.lista(partes["BYDAY"], "BYDAY") { Dia($0) },
            inicioDaSemana: try partes["WKST"].map { valor throws(RecusaDeSerie) in
                guard let dia = DiaDaSemana.da(sigla: valor) else { throw .regraInvalida(parte: "WKST") }
                return dia
            } ?? .segunda
        )
    }

    private static let conhecidas: Set<String> = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTHDAY", "BYDAY", "WKST"]

    private static func partes(_ texto: String) throws(RecusaDeSerie) -> [String: String] {
        guard texto.utf8.count <= maiorTexto else { throw .regraInvalida(parte: "RRULE") }
        let maiusculas = texto.uppercased()
        let regra = maiusculas.hasPrefix("RRULE:") ? String(maiusculas.dropFirst(6)) : maiusculas
        var partes: [String: String] = [:]
        for parte in regra.split(separator: ";", omittingEmptySubsequences: false) {
            let lados = parte.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard lados.count == 2, conhecidas.contains(String(lados[0])) else { throw .regraInvalida(parte: "RRULE") }
            guard partes.updateValue(String(lados[1]), forKey: String(lados[0])) == nil else {
                throw .regraInvalida(parte: String(lados[0]))
            }
        }
        return partes
    }

    /// A rule says how often or until when, and not both: a series without an end could not be booked.
    private static func termino(_ partes: [String: String]) throws(RecusaDeSerie) -> Termino {
        switch (partes["COUNT"], partes["UNTIL"]) {
        case (let vezes?, nil): return .vezes(try numero(vezes, "COUNT"))
        case (nil, let ate?):
            guard let termino = Termino(ate: ate) else { throw .regraInvalida(parte: "UNTIL") }
            return termino
        case (nil, nil), (.some, .some): throw .regraInvalida(parte: "COUNT")
        }
    }

    private static func numero(_ texto: String, _ parte: String) throws(RecusaDeSerie) -> Int {
        guard texto.utf8.count <= 6, let numero = inteiro(texto), numero > 0 else { throw .regraInvalida(parte: parte) }
        return numero
    }

    fileprivate static func inteiro(_ texto: some StringProtocol) -> Int? {
        texto.utf8.count <= 6 ? Int(texto) : nil
    }

    private static func lista<Valor>(
        _ texto: String?,
        _ parte: String,
        _ ler: (Substring) -> Valor?
    ) throws(RecusaDeSerie) -> [Valor] {
        guard let texto else { return [] }
        var valores: [Valor] = []
        for pedaco in texto.split(separator: ",", omittingEmptySubsequences: false) {
            guard let valor = ler(pedaco) else { throw .regraInvalida(parte: parte) }
            valores.append(valor)
        }
        return valores
    }

    /// As RFC 5545 writes it, with its parts always in the same order, and without what goes without saying.
    package var texto: String {
        var partes = ["FREQ=\(frequencia.rawValue)"]
        if intervalo != 1 { partes.append("INTERVAL=\(intervalo)") }
        partes.append(termino.texto)
        if !diasDoMes.isEmpty { partes.append("BYMONTHDAY=\(diasDoMes.map { String($0) }.joined(separator: ","))") }
        if !dias.isEmpty { partes.append("BYDAY=\(dias.map(\.texto).joined(separator: ","))") }
        if inicioDaSemana != .segunda { partes.append("WKST=\(inicioDaSemana.sigla)") }
        return partes.joined(separator: ";")
    }
}

extension RegraDeRecorrencia: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { try? RegraDeRecorrencia($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

extension RegraDeRecorrencia.Dia {
    fileprivate init?(_ texto: Substring) {
        guard let dia = DiaDaSemana.da(sigla: String(texto.suffix(2))) else { return nil }
        let ordinal = texto.dropLast(2)
        if ordinal.isEmpty {
            self.init(dia)
        } else {
            guard let numero = RegraDeRecorrencia.inteiro(ordinal) else { return nil }
            self.init(dia, ordinal: numero)
        }
    }

    fileprivate var texto: String { "\(ordinal.map { String($0) } ?? "")\(dia.sigla)" }
}

extension RegraDeRecorrencia.Termino {
    /// A date, a local time, or a moment of UTC, in the basic form of ISO 8601: `20260301`, `20260301T090000`, `20260301T120000Z`.
    fileprivate init?(ate texto: String) {
        let letras = Array(texto.utf8)
        guard letras.count == 8 || letras.count == 15 || letras.count == 16 else { return nil }
        func pedaco(_ faixa: Range<Int>) -> String { String(decoding: letras[faixa], as: UTF8.self) }
        let dia = "\(pedaco(0..<4))-\(pedaco(4..<6))-\(pedaco(6..<8))"
        if letras.count == 8 {
            guard let data = DataCivil(dia) else { return nil }
            self = .ateData(data)
            return
        }
        guard letras[8] == UInt8(ascii: "T") else { return nil }
        let local = DataHoraLocal("\(dia)T\(pedaco(9..<11)):\(pedaco(11..<13)):\(pedaco(13..<15))")
        guard let local else { return nil }
        if letras.count == 15 {
            self = .ateLocal(local)
        } else {
            guard letras[15] == UInt8(ascii: "Z") else { return nil }
            self = .ate(Instante(microssegundos: local.microssegundos))
        }
    }

    fileprivate var texto: String {
        func basico(_ texto: String) -> String { texto.filter { $0 != "-" && $0 != ":" } }
        return switch self {
        case .vezes(let vezes): "COUNT=\(vezes)"
        case .ateData(let data): "UNTIL=\(basico(data.texto))"
        case .ateLocal(let local): "UNTIL=\(basico(local.texto))"
        case .ate(let instante): "UNTIL=\(basico(DataHoraLocal(microssegundos: instante.microssegundos).texto))Z"
        }
    }
}

extension DiaDaSemana {
    private static let siglas = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// As RFC 5545 calls it.
    static func da(sigla: String) -> DiaDaSemana? {
        Self.siglas.firstIndex(of: sigla).map { Self.allCases[$0] }
    }

    package var sigla: String { Self.siglas[numero] }

    /// Days since Monday.
    var numero: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
