import Domain
import EventStore
import FoundationEssentials

extension Identificador {
    var uuid: UUID {
        // An id's text is a UUID's text by construction, so the other branch is out of reach.
        guard let uuid = UUID(uuidString: texto) else { preconditionFailure("an id that is no UUID") }
        return uuid
    }

    init(_ uuid: UUID) {
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let bytes = uuid.bytes
        self.init(alto: half(bytes[..<8]), baixo: half(bytes[8...]))
    }
}
