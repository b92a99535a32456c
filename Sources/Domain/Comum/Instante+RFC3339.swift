extension Instante {
    /// Reads RFC 3339 with an offset (`Z`, `+00:00`, `-03:00`), date and time separated by `T`, `t` or a space.
    /// Up to nine decimals are read; what is finer than a microsecond is cut. Leap seconds (`:60`) are refused.
    package init?(_ texto: some StringProtocol) {
        self.init(letras: Array(texto.utf8).span)
    }

    init?(letras: Span<UInt8>) {
        var leitor = LeitorDeTexto()
        guard
            let local = leitor.dataHora(letras, exigeSegundos: true),
            let deslocamento = leitor.deslocamento(letras),
            leitor.posicao == letras.count
        else { return nil }
        let instante = Instante(microssegundos: local.microssegundos - deslocamento * 1_000_000)
        guard (Instante.primeiro...Instante.ultimo).contains(instante) else { return nil }
        self = instante
    }

    /// The first and last moment that RFC 3339 can write in UTC.
    package static let primeiro = Instante(segundos: -62_167_219_200)
    package static let ultimo = Instante(microssegundos: 253_402_300_799_999_999)

    /// RFC 3339 in UTC, with six decimals when it is not a whole second.
    package var texto: String { escrito }

    func escrever(em bytes: inout [UInt8]) {
        DataHoraLocal(microssegundos: microssegundos).escrever(em: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// RFC 3339 with the offset that `zona` has at this moment. Offsets with odd seconds (before standard time)
    /// cannot be written in RFC 3339 and are given in UTC.
    package func texto(em zona: ZonaHoraria) -> String {
        let segundos = zona.deslocamento(em: self)
        guard segundos % 60 == 0 else { return texto }
        let minutos = abs(segundos) / 60
        let sinal = segundos < 0 ? "-" : "+"
        return zona.local(de: self).texto + sinal + doisDigitos(minutos / 60) + ":" + doisDigitos(minutos % 60)
    }
}

func doisDigitos(_ numero: some BinaryInteger) -> String {
    numero < 10 ? "0\(numero)" : "\(numero)"
}

/// Reads the fixed-width fields of dates and times one after the other, refusing anything else. The text is passed to every call
/// and always the same: a type that keeps a `Span` is beyond the language yet.
struct LeitorDeTexto {
    private(set) var posicao = 0

    mutating func aceitar(_ opcao: Unicode.Scalar, _ letras: Span<UInt8>) -> Bool {
        guard posicao < letras.count, letras[posicao] == UInt8(ascii: opcao) else { return false }
        posicao += 1
        return true
    }

    mutating func numero(_ letras: Span<UInt8>, digitos: Int) -> Int? {
        guard posicao + digitos <= letras.count else { return nil }
        var valor = 0
        for indice in posicao..<posicao + digitos {
            let letra = letras[indice]
            guard (0x30...0x39).contains(letra) else { return nil }
            valor = valor * 10 + Int(letra - 0x30)
        }
        posicao += digitos
        return valor
    }

    mutating func data(_ letras: Span<UInt8>) -> DataCivil? {
        guard
            let ano = numero(letras, digitos: 4), aceitar("-", letras),
            let mes = numero(letras, digitos: 2), aceitar("-", letras),
            let dia = numero(letras, digitos: 2)
        else { return nil }
        return DataCivil(ano: ano, mes: mes, dia: dia)
    }

    mutating func dataHora(_ letras: Span<UInt8>, exigeSegundos: Bool) -> DataHoraLocal? {
        guard
            let data = data(letras), aceitar("T", letras) || aceitar("t", letras) || aceitar(" ", letras),
            let hora = numero(letras, digitos: 2), hora < 24, aceitar(":", letras),
            let minuto = numero(letras, digitos: 2), minuto < 60
        else { return nil }
        var micros = Int64(hora * 60 + minuto) * 60_000_000
        if aceitar(":", letras) {
            guard let segundo = numero(letras, digitos: 2), segundo < 60 else { return nil }
            micros += Int64(segundo) * 1_000_000
            if aceitar(".", letras) {
                guard let fracao = fracao(letras) else { return nil }
                micros += fracao
            }
        } else if exigeSegundos {
            return nil
        }
        return DataHoraLocal(microssegundos: data.diasDesde1970 * 86_400_000_000 + micros)
    }

    private mutating func fracao(_ letras: Span<UInt8>) -> Int64? {
        var micros: Int64 = 0
        var lidos = 0
        while lidos < 9, let digito = numero(letras, digitos: 1) {
            if lidos < 6 { micros = micros * 10 + Int64(digito) }
            lidos += 1
        }
        guard lidos > 0 else { return nil }
        for _ in lidos..<max(lidos, 6) { micros *= 10 }
        return micros
    }

    /// Seconds east of Greenwich.
    mutating func deslocamento(_ letras: Span<UInt8>) -> Int64? {
        if aceitar("Z", letras) || aceitar("z", letras) { return 0 }
        let sinal: Int64
        if aceitar("+", letras) {
            sinal = 1
        } else if aceitar("-", letras) {
            sinal = -1
        } else {
            return nil
        }
        guard
            let horas = numero(letras, digitos: 2), horas < 24, aceitar(":", letras),
            let minutos = numero(letras, digitos: 2), minutos < 60
        else { return nil }
        return sinal * Int64(horas * 60 + minutos) * 60
    }
}
