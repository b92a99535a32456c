extension RegraPosix {
    /// Reads a POSIX TZ string with the extensions of RFC 9636 (times from -167 to 167 hours); anything else is `nil`.
    package init?(_ texto: String) {
        var leitor = LeitorPosix(letras: Array(texto.utf8))
        guard leitor.nome(), let oeste = leitor.horario(horasAte: 24) else { return nil }
        deslocamento = -oeste
        if leitor.acabou {
            verao = nil
            return
        }
        guard leitor.nome() else { return nil }
        var adiantado = deslocamento + 3_600
        if !leitor.proximo(",") {
            guard let oeste = leitor.horario(horasAte: 24) else { return nil }
            adiantado = -oeste
        }
        guard
            leitor.aceitar(","), let comeca = leitor.mudanca(),
            leitor.aceitar(","), let termina = leitor.mudanca(),
            leitor.acabou
        else { return nil }
        verao = Verao(deslocamento: adiantado, comeca: comeca, termina: termina)
    }
}

/// Reads the parts of a POSIX TZ string.
private struct LeitorPosix {
    let letras: [UInt8]
    var posicao = 0

    init(letras: [UInt8]) {
        self.letras = letras
    }

    var acabou: Bool { posicao == letras.count }

    func proximo(_ letra: Unicode.Scalar) -> Bool {
        posicao < letras.count && letras[posicao] == UInt8(ascii: letra)
    }

    mutating func aceitar(_ letra: Unicode.Scalar) -> Bool {
        guard proximo(letra) else { return false }
        posicao += 1
        return true
    }

    /// Three or more letters, or anything between angle brackets.
    mutating func nome() -> Bool {
        if aceitar("<") {
            while posicao < letras.count, !proximo(">") { posicao += 1 }
            return aceitar(">")
        }
        let inicio = posicao
        while posicao < letras.count, (0x41...0x5A).contains(letras[posicao] & 0xDF) { posicao += 1 }
        return posicao - inicio >= 3
    }

    mutating func numero(ate maximo: Int) -> Int? {
        var valor = 0
        let inicio = posicao
        while posicao < letras.count, (0x30...0x39).contains(letras[posicao]), posicao - inicio < 3 {
            valor = valor * 10 + Int(letras[posicao] - 0x30)
            posicao += 1
        }
        return posicao > inicio && valor <= maximo ? valor : nil
    }

    /// `[+-]h[h][:mm[:ss]]` in seconds.
    mutating func horario(horasAte maximo: Int) -> Int64? {
        let sinal: Int64 = aceitar("-") ? -1 : 1
        if sinal > 0 { _ = aceitar("+") }
        guard let horas = numero(ate: maximo) else { return nil }
        var segundos = Int64(horas) * 3_600
        if aceitar(":") {
            guard let minutos = numero(ate: 59) else { return nil }
            segundos += Int64(minutos) * 60
            if aceitar(":") {
                guard let resto = numero(ate: 59) else { return nil }
                segundos += Int64(resto)
            }
        }
        return sinal * segundos
    }

    /// A day and, after `/`, a time; 02:00 when none is given.
    mutating func mudanca() -> RegraPosix.Mudanca? {
        guard let dia = dia() else { return nil }
        guard aceitar("/") else { return RegraPosix.Mudanca(dia: dia, segundos: 7_200) }
        guard let segundos = horario(horasAte: 167) else { return nil }
        return RegraPosix.Mudanca(dia: dia, segundos: segundos)
    }

    private mutating func dia() -> RegraPosix.Dia? {
        if aceitar("J") {
            guard let numero = numero(ate: 365), numero >= 1 else { return nil }
            return .juliano(numero)
        }
        if aceitar("M") {
            guard
                let mes = numero(ate: 12), mes >= 1, aceitar("."),
                let semana = numero(ate: 5), semana >= 1, aceitar("."),
                let dia = numero(ate: 6)
            else { return nil }
            return .mensal(mes: mes, semana: semana, dia: dia)
        }
        return numero(ate: 365).map(RegraPosix.Dia.ordinal)
    }
}
