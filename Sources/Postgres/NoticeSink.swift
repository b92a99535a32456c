import Clibpq
import Logging

/// Receives the server's notices for one connection and logs them.
final class NoticeSink {
    private let logger: Logger

    /// Whether the server said that it ends the connection, which it does before it hangs up.
    private(set) var saidFarewell = false

    // The letters of the fields in the protocol; libpq's macros for them do not reach Swift.
    private static let severity = Int32(UInt8(ascii: "V"))
    private static let message = Int32(UInt8(ascii: "M"))
    private static let sqlState = Int32(UInt8(ascii: "C"))

    init(logger: Logger) {
        self.logger = logger
    }

    func receive(_ result: OpaquePointer) {
        // The result belongs to libpq and lives until the hook returns; the strings are copied.
        let severity = unsafe PQresultErrorField(result, Self.severity).map { unsafe String(cString: $0) } ?? ""
        if ["FATAL", "PANIC"].contains(severity) { saidFarewell = true }
        guard logger.logLevel <= .debug else { return }
        let message = unsafe PQresultErrorField(result, Self.message).map { unsafe String(cString: $0) } ?? ""
        let sqlState = unsafe PQresultErrorField(result, Self.sqlState).map { unsafe String(cString: $0) } ?? ""
        logger.debug("postgres notice", metadata: ["sqlstate": .string(sqlState), "notice": .string(message)])
    }
}
