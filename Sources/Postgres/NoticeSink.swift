import Clibpq
import Logging

/// Receives the server's notices for one connection and logs them.
final class NoticeSink {
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    func receive(_ result: OpaquePointer) {
        guard logger.logLevel <= .debug else { return }
        // The result belongs to libpq and lives until the hook returns; the strings are copied.
        let message = unsafe PQresultErrorField(result, 0x4D).map { unsafe String(cString: $0) } ?? ""
        let sqlState = unsafe PQresultErrorField(result, 0x43).map { unsafe String(cString: $0) } ?? ""
        logger.debug("postgres notice", metadata: ["sqlstate": .string(sqlState), "notice": .string(message)])
    }
}
