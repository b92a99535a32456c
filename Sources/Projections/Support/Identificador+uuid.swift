import Domain
import EventStore
import FoundationEssentials

extension Identificador {
    var uuid: UUID {
        let (high, low) = (alto, baixo)
        func byte(_ half: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }

    init(_ uuid: UUID) {
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let bytes = uuid.bytes
        self.init(alto: half(bytes[..<8]), baixo: half(bytes[8...]))
    }
}
