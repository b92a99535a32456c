/// CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, nothing reflected.
enum CRC16 {
    static func de(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0xFFFF) { resto, byte in
            var resto = resto ^ UInt16(byte) << 8
            for _ in 0..<8 {
                resto = resto & 0x8000 == 0 ? resto << 1 : resto << 1 ^ 0x1021
            }
            return resto
        }
    }

    /// Four upper-case hexadecimal digits.
    static func texto(_ valor: UInt16) -> String {
        let digitos = Array("0123456789ABCDEF")
        return String([12, 8, 4, 0].map { digitos[Int(valor >> $0 & 0xF)] })
    }
}
