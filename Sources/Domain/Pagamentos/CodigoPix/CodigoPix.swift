/// A PIX "copia e cola": the BR Code of the Central Bank (EMV QRCPS-MPM), as it stands in QR codes and is copied into banks' apps.
package struct CodigoPix: Hashable, Sendable {
    /// Where the money goes.
    package enum Conta: Hashable, Sendable {
        /// A PIX key, of 1 to 77 characters, and a text for the payer.
        case chave(String, descricao: String?)
        /// Where the payer's bank finds the charge: host and path, without a scheme.
        case url(String)
    }

    package let conta: Conta
    /// What is to be paid; nil where the payer says, or the charge at the URL does.
    package let valor: Dinheiro?
    /// Of the receiver: 1 to 25 characters.
    package let nome: String
    /// Of the receiver: 1 to 15 characters.
    package let cidade: String
    /// 1 to 25 letters and digits; nil for none (`***`).
    package let txid: String?
    /// Whether the code says of itself that it is good for one payment.
    package let usoUnico: Bool

    /// The longest text that a BR Code may have.
    private static let maximo = 512
    private static let gui = "br.gov.bcb.pix"

    /// - Throws: for a value that a BR Code cannot hold.
    package init(
        conta: Conta,
        valor: Dinheiro? = nil,
        nome: String,
        cidade: String,
        txid: String? = nil,
        usoUnico: Bool = false
    ) throws(ErroDoCodigoPix) {
        guard Self.imprimivel(nome, 1...25) else { throw .invalido("59") }
        guard Self.imprimivel(cidade, 1...15) else { throw .invalido("60") }
        if let txid { guard Self.eTxid(txid) else { throw .invalido("62.05") } }
        if let valor { guard valor > .zero, valor.centavos < 1_000_000_000_000, valor.moeda == .brl else { throw .invalido("54") } }
        switch conta {
        case .chave(let chave, let descricao):
            guard Self.imprimivel(chave, 1...77) else { throw .invalido("26.01") }
            if let descricao { guard Self.imprimivel(descricao, 1...72) else { throw .invalido("26.02") } }
        case .url(let url):
            guard Self.eURL(url), txid == nil else { throw .invalido("26.25") }
        }
        self.conta = conta
        self.valor = valor
        self.nome = nome
        self.cidade = cidade
        self.txid = txid
        self.usoUnico = usoUnico
    }

    /// Reads what a bank's app would: everything that must be there is, in a form that it may have, and the CRC is right. Fields that
    /// the standard leaves to others are passed over.
    package init(lendo texto: String) throws(ErroDoCodigoPix) {
        guard texto.unicodeScalars.count <= Self.maximo else { throw .longoDemais }
        let campos = try CamposTLV(texto)
        guard let ultimo = campos.campos.last, let crc = campos["63"] else { throw .semCRC }
        guard ultimo.id == "63" else { throw .depoisDoCRC }
        guard crc.utf8.count == 4 else { throw .invalido("63") }
        guard CRC16.texto(CRC16.de(texto.utf8.dropLast(4))) == crc.uppercased() else { throw .crcErrado }
        guard campos.campos.first?.id == "00" else { throw .falta("00") }
        for (id, esperado) in [("00", "01"), ("53", "986"), ("58", "BR")] {
            guard let valor = campos[id] else { throw .falta(id) }
            guard valor == esperado else { throw .invalido(id) }
        }
        guard let ramo = campos["52"] else { throw .falta("52") }
        guard ramo.utf8.count == 4, ramo.utf8.allSatisfy(\.eAlgarismo) else { throw .invalido("52") }
        if let uso = campos["01"] { guard uso == "11" || uso == "12" else { throw .invalido("01") } }
        guard let nome = campos["59"] else { throw .falta("59") }
        guard let cidade = campos["60"] else { throw .falta("60") }
        guard let adicionais = campos["62"] else { throw .falta("62") }
        guard let txid = try CamposTLV(adicionais)["05"] else { throw .falta("62.05") }
        try self.init(
            conta: try Self.conta(campos),
            valor: try campos["54"].map(Self.valor),
            nome: nome,
            cidade: cidade,
            txid: txid == "***" ? nil : txid,
            usoUnico: campos["01"] == "12"
        )
    }

    /// The text for QR codes and for copying.
    package var texto: String {
        get throws(ErroDoCodigoPix) {
            var campos = CamposTLV()
            try campos.acrescentar("00", "01")
            if usoUnico { try campos.acrescentar("01", "12") }
            try campos.acrescentar("26", try Self.texto(conta))
            try campos.acrescentar("52", "0000")
            try campos.acrescentar("53", "986")
            if let valor { try campos.acrescentar("54", Self.texto(valor)) }
            try campos.acrescentar("58", "BR")
            try campos.acrescentar("59", nome)
            try campos.acrescentar("60", cidade)
            var adicionais = CamposTLV()
            try adicionais.acrescentar("05", txid ?? "***")
            try campos.acrescentar("62", adicionais.texto)
            let coberto = campos.texto + "6304"
            return coberto + CRC16.texto(CRC16.de(coberto.utf8))
        }
    }

    private static func conta(_ campos: CamposTLV) throws(ErroDoCodigoPix) -> Conta {
        var achada: CamposTLV?
        // Identifiers 26 to 51 are for whoever: the one with our GUI is a PIX account.
        for campo in campos.campos where ("26"..."51").contains(campo.id) {
            guard let sub = try? CamposTLV(campo.valor), sub["00"]?.lowercased() == gui else { continue }
            guard achada == nil else { throw .campoRepetido("26") }
            achada = sub
        }
        guard let sub = achada else { throw .falta("26") }
        switch (sub["01"], sub["25"]) {
        case (_?, _?): throw .chaveEURL
        case (nil, nil): throw .semChaveNemURL
        case (let chave?, nil): return .chave(chave, descricao: sub["02"])
        case (nil, let url?): return .url(url)
        }
    }

    private static func texto(_ conta: Conta) throws(ErroDoCodigoPix) -> String {
        var sub = CamposTLV()
        try sub.acrescentar("00", gui)
        switch conta {
        case .chave(let chave, let descricao):
            try sub.acrescentar("01", chave)
            if let descricao { try sub.acrescentar("02", descricao) }
        case .url(let url):
            try sub.acrescentar("25", url)
        }
        return sub.texto
    }

    private static func texto(_ valor: Dinheiro) -> String {
        let centavos = valor.centavos % 100
        return "\(valor.centavos / 100).\(centavos < 10 ? "0" : "")\(centavos)"
    }

    /// `\d{1,10}\.\d{2}`, as the Central Bank writes amounts.
    package static func valor(_ texto: String) throws(ErroDoCodigoPix) -> Dinheiro {
        let partes = texto.split(separator: ".", omittingEmptySubsequences: false)
        guard partes.count == 2, (1...10).contains(partes[0].utf8.count), partes[1].utf8.count == 2,
            partes.allSatisfy({ $0.utf8.allSatisfy(\.eAlgarismo) }), let centavos = Int64(partes.joined())
        else { throw .invalido("54") }
        return Dinheiro(centavos: centavos)
    }

    /// As `valor(_:)` reads it.
    package static func valorEscrito(_ valor: Dinheiro) -> String { texto(valor) }

    private static func eTxid(_ texto: String) -> Bool {
        (1...25).contains(texto.utf8.count) && texto.utf8.allSatisfy { $0.eAlgarismo || $0.eLetra }
    }

    private static func eURL(_ texto: String) -> Bool {
        imprimivel(texto, 1...77) && !texto.contains("://") && !texto.contains(" ") && texto.contains("/")
    }

    /// Printable ASCII, which every bank's app reads.
    private static func imprimivel(_ texto: String, _ tamanho: ClosedRange<Int>) -> Bool {
        tamanho.contains(texto.utf8.count) && texto.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

extension UInt8 {
    fileprivate var eAlgarismo: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var eLetra: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
