import Clibpq
import Glibc

/// Owns one `PGresult` and reads it.
///
/// Rows are read straight from libpq's memory: a result is one block already, and copying each field into Swift objects
/// would cost more than decoding it.
///
/// Invariant behind `@unchecked Sendable`: libpq never changes a result after handing it out ("may be freely passed
/// around between threads", libpq's chapter on threads), the pointer never leaves this class, every index is checked before libpq sees it
/// (so libpq never calls the notice hook, which belongs to the connection), and the result is freed only by `deinit`.
@safe final class ResultStorage: @unchecked Sendable {
    private let result: OpaquePointer
    let rowCount: Int
    let columnCount: Int

    init(owning result: OpaquePointer) {
        unsafe self.result = result
        rowCount = Int(unsafe PQntuples(result))
        columnCount = Int(unsafe PQnfields(result))
    }

    deinit {
        unsafe PQclear(result)
    }

    var status: ExecStatusType { unsafe PQresultStatus(result) }

    /// The number of rows that the statement inserted, changed, deleted or returned.
    var affected: Int {
        // The pointer is to a string inside the result.
        unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// The statement's command tag, for example `INSERT 0 1`.
    var commandTag: String {
        unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    }

    /// Whether the fields of the result, or of the COPY that it begins, are in binary form.
    var isBinary: Bool { unsafe PQbinaryTuples(result) == 1 }

    func columnName(_ column: Int) -> String {
        precondition(column >= 0 && column < columnCount)
        return unsafe PQfname(result, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }

    /// The first column of that name, compared exactly.
    func column(named name: String) -> Int? {
        // The strings compared are one inside the result and one that lives for the closure.
        unsafe name.withCString { name in
            (0..<columnCount).first { column in
                unsafe PQfname(result, Int32(column)).map { unsafe strcmp($0, name) == 0 } ?? false
            }
        }
    }

    func type(column: Int) -> PostgresType {
        precondition(column >= 0 && column < columnCount)
        return PostgresType(rawValue: unsafe PQftype(result, Int32(column)))
    }

    func decode<T: PostgresDecodable>(row: Int, column: Int, as _: T.Type) throws(PostgresDecodingFailure) -> T {
        precondition(row >= 0 && row < rowCount && column >= 0 && column < columnCount)
        let (row, column) = (Int32(row), Int32(column))
        let type = PostgresType(rawValue: unsafe PQftype(result, column))
        if unsafe PQgetisnull(result, row, column) != 0 {
            guard let null = T.decodeNull(type) else { throw .null }
            return null
        }
        let length = Int(unsafe PQgetlength(result, row, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: length)
        // The span points into the result, which `self` keeps alive during the call; a span cannot escape from it.
        defer { extendLifetime(self) }
        return try T.decode(unsafe RawSpan(_unsafeBytes: bytes), as: type)
    }

    /// What the server reported, if this is the result of a failure.
    func error(connectionLost: Bool) -> PostgresError? {
        switch status {
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: break
        default: return nil
        }
        let sqlState = field("C")
        let lost = connectionLost || ["FATAL", "PANIC"].contains(field("V"))
        let kind: PostgresError.Kind =
            if lost || sqlState == nil { .connectionLost } else if sqlState == "57014" { .timedOut } else { .serverError }
        let reason =
            switch kind {
            case .connectionLost: "the connection broke while a statement was in flight"
            case .timedOut: "the server cancelled the statement"
            default: "the server refused the statement"
            }
        return PostgresError(
            kind,
            reason,
            sqlState: sqlState,
            serverMessage: field("M") ?? (unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) }),
            constraint: field("n"),
            isStalePlan: sqlState == "26000" || (sqlState == "0A000" && field("R") == "RevalidateCachedQuery")
        )
    }

    /// A field of an error report, by the letter it has in the protocol.
    private func field(_ code: Unicode.Scalar) -> String? {
        // The pointer is to a string inside the result.
        unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
    }
}
