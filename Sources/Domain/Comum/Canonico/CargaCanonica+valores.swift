extension CargaCanonica {
    /// The value under a key: the first, when the key is there more than once.
    func campo(_ nome: String, de objeto: Int) -> Int? {
        var nome = nome
        // The span ends with the closure, before the buffer.
        return nome.withUTF8 { nome in Self.campo(unsafe nome.span, de: objeto, fichas, bytes) }
    }

    private static func campo(_ nome: Span<UInt8>, de objeto: Int, _ fichas: [Ficha], _ bytes: [UInt8]) -> Int? {
        var chave = objeto + 1
        let fim = Int(fichas[objeto].seguinte)
        while chave < fim {
            let ficha = fichas[chave]
            if Int(ficha.fim - ficha.inicio) == nome.count, igual(nome, bytes, Int(ficha.inicio)) { return chave + 1 }
            chave = Int(fichas[chave + 1].seguinte)
        }
        return nil
    }

    private static func igual(_ nome: Span<UInt8>, _ bytes: [UInt8], _ inicio: Int) -> Bool {
        for indice in nome.indices where nome[indice] != bytes[inicio + indice] { return false }
        return true
    }

    func chaves(_ objeto: Int) -> [String] {
        var nomes: [String] = []
        var chave = objeto + 1
        let fim = Int(fichas[objeto].seguinte)
        while chave < fim {
            nomes.append(String(decoding: bytes[faixa(chave)], as: UTF8.self))
            chave = Int(fichas[chave + 1].seguinte)
        }
        return nomes
    }

    func faixa(_ ficha: Int) -> Range<Int> {
        Int(fichas[ficha].inicio)..<Int(fichas[ficha].fim)
    }

    func booleano(_ ficha: Int) throws(ForaDaForma) -> Bool {
        switch fichas[ficha].especie {
        case .verdadeiro: true
        case .falso: false
        default: throw ForaDaForma()
        }
    }

    func texto(_ ficha: Int) throws(ForaDaForma) -> String {
        switch fichas[ficha].especie {
        case .texto:
            guard let texto = String(validating: bytes[faixa(ficha)], as: UTF8.self) else { throw ForaDaForma() }
            return texto
        case .textoComEscapes:
            guard let texto = String(validating: try semEscapes(ficha), as: UTF8.self) else { throw ForaDaForma() }
            return texto
        default: throw ForaDaForma()
        }
    }

    func lido<Valor: LidoDeTexto>(_ ficha: Int) throws(ForaDaForma) -> Valor {
        guard fichas[ficha].especie == .texto, let valor: Valor = Self.lido(bytes, faixa(ficha)) else { throw ForaDaForma() }
        return valor
    }

    private static func lido<Valor: LidoDeTexto>(_ bytes: [UInt8], _ faixa: Range<Int>) -> Valor? {
        Valor(letras: bytes.span.extracting(faixa))
    }

    private func semEscapes(_ ficha: Int) throws(ForaDaForma) -> [UInt8] {
        var letras: [UInt8] = []
        var escapado = false
        for letra in bytes[faixa(ficha)] {
            if escapado {
                escapado = false
                switch letra {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letras.append(letra)
                case UInt8(ascii: "b"): letras.append(0x08)
                case UInt8(ascii: "f"): letras.append(0x0C)
                case UInt8(ascii: "n"): letras.append(0x0A)
                case UInt8(ascii: "r"): letras.append(0x0D)
                case UInt8(ascii: "t"): letras.append(0x09)
                default: throw ForaDaForma()
                }
            } else if letra == UInt8(ascii: "\\") {
                escapado = true
            } else {
                letras.append(letra)
            }
        }
        return letras
    }

    func inteiro<Inteiro: FixedWidthInteger>(_ ficha: Int) throws(ForaDaForma) -> Inteiro {
        guard fichas[ficha].especie == .numero else { throw ForaDaForma() }
        var posicao = Int(fichas[ficha].inicio)
        let fim = Int(fichas[ficha].fim)
        let negativo = bytes[posicao] == UInt8(ascii: "-")
        if negativo { posicao += 1 }
        var valor: Inteiro = 0
        while posicao < fim {
            let (vezesDez, estourou) = valor.multipliedReportingOverflow(by: 10)
            let digito = Inteiro(truncatingIfNeeded: bytes[posicao] - 0x30)
            let (soma, passou) = negativo ? vezesDez.subtractingReportingOverflow(digito) : vezesDez.addingReportingOverflow(digito)
            guard !estourou, !passou else { throw ForaDaForma() }
            valor = soma
            posicao += 1
        }
        return valor
    }
}
