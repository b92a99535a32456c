import AMQP
import Foundation
import Logging
import Postgres
import ServiceLifecycle
import TestSupport
import Testing

@testable import EventStore

/// One test's own database and virtual host, with whatever it starts there; all of it goes when the test ends.
final class TestWorld: Sendable {
    private static let gate = Gate(6)

    let name: String
    /// A superuser's, of the test's own database.
    let database: PostgresConfiguration
    /// A superuser's connection.
    let admin: PostgresConnection
    let broker: BrokerTopology
    private let endings = Shared<[@Sendable () async -> Void]>([])

    private init(name: String, database: PostgresConfiguration, admin: PostgresConnection, broker: BrokerTopology) {
        self.name = name
        self.database = database
        self.admin = admin
        self.broker = broker
    }

    /// - Parameters:
    ///   - broker: whether the test needs RabbitMQ.
    ///   - maximumWaiting: the bound of the append queue.
    static func run(broker: Bool = true, maximumWaiting: Int64 = 1000, _ body: (TestWorld) async throws -> Void) async throws {
        await gate.enter()
        defer { gate.leave() }
        let name = "es_\(UInt32.random(in: 0...UInt32.max))"
        let template = try await TestServers.template.value
        try await TestServers.withServer { try await $0.executeScript("create database \(name) template \(template)") }
        if broker {
            try await TestServers.manage("PUT", "/api/vhosts/\(name)")
            let user = try TestServers.amqp().user
            try await TestServers.manage(
                "PUT", "/api/permissions/\(name)/\(user)", #"{"configure": ".*", "write": ".*", "read": ".*"}"#
            )
        }
        let database = try TestServers.postgres().with(database: name)
        let world = TestWorld(
            name: name,
            database: database,
            admin: try await PostgresConnection.connect(database, logger: quiet),
            broker: BrokerTopology(maximumWaiting: maximumWaiting)
        )
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(world)) } catch { outcome = .failure(error) }
        for ending in world.endings.value.reversed() { await ending() }
        await world.admin.close()
        try await TestServers.withServer { try await $0.executeScript("drop database \(name) with (force)") }
        if broker { try await TestServers.manage("DELETE", "/api/vhosts/\(name)") }
        try outcome.get()
    }

    // MARK: Database

    /// A pool that acts as a role, closed with the world.
    func pool(_ role: DatabaseRole? = nil, connections: Int = 2) -> PostgresPool {
        let pool = PostgresPool(database.with(role: role?.rawValue), maximumConnections: connections, logger: quiet)
        endings.withLock { $0.append { await pool.close() } }
        return pool
    }

    /// A connection that acts as a role, closed with the world.
    func connection(_ role: DatabaseRole? = nil) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(database.with(role: role?.rawValue), logger: quiet)
        endings.withLock { $0.append { await connection.close() } }
        return connection
    }

    /// The first column of the first row.
    func number(_ sql: String) async throws -> Int64 {
        try await admin.run { try $0.query(sql)[0].get(0, Int64.self) }
    }

    var reader: LogReader { LogReader(pool: pool(.service)) }

    /// A writer of the log, closed with the world.
    func takeOver() async throws -> LogWriter {
        try await LogWriter.takeOver(database, logger: quiet)
    }

    /// Writes requests to the log without a broker.
    @discardableResult
    func record(_ requests: [AppendRequest]) async throws -> LogWriter.Written {
        var writer = try await takeOver()
        let written = try await writer.write(requests, now: systemClock())
        await writer.close()
        return written
    }

    // MARK: Broker

    func configuration(named name: String) throws -> AMQPConfiguration {
        var configuration = try TestServers.amqp()
        configuration.virtualHost = self.name
        configuration.connectionName = "\(name)-\(self.name)"
        // No test waits for a silent peer, and a busy machine must not look like one.
        configuration.heartbeat = .seconds(20)
        return configuration
    }

    /// A connection that is up, closed with the world.
    func connect(_ name: String = "test", topology: AMQPTopology? = nil) async throws -> AMQPConnection {
        let connection = AMQPConnection(try configuration(named: name), topology: topology ?? broker.topology, logger: quiet)
        start { try await connection.run() }
        try await connection.waitUntilConnected(timeout: .seconds(10))
        return connection
    }

    /// Closes a connection by force, from the broker's side.
    func cut(connectionNamed name: String) async throws {
        struct Listed: Decodable {
            let name: String
            let user_provided_name: String?
        }
        let full = "\(name)-\(self.name)"
        // The management plugin learns of connections with a delay.
        try await eventually("the broker lists the connection", within: .seconds(20)) {
            let listed = try JSONDecoder().decode(
                [Listed].self, from: try await TestServers.manage("GET", "/api/vhosts/\(self.name)/connections")
            )
            guard let mine = listed.first(where: { $0.user_provided_name == full }) else { return false }
            var allowed = CharacterSet.urlPathAllowed
            allowed.remove("/")
            guard let escaped = mine.name.addingPercentEncoding(withAllowedCharacters: allowed) else { return false }
            try await TestServers.manage("DELETE", "/api/connections/\(escaped)")
            return true
        }
    }

    // MARK: Services

    /// Runs something until it is stopped or the world ends.
    @discardableResult
    func start(_ work: @escaping @Sendable () async throws -> Void) -> Running {
        let running = Running(Task(operation: work))
        endings.withLock { $0.append { await running.stop() } }
        return running
    }

    @discardableResult
    func start(_ service: any Service) -> Running {
        start { try await service.run() }
    }

    @discardableResult
    func startRecorder(_ name: String = "recorder", database: PostgresConfiguration? = nil) async throws -> Running {
        let connection = try await connect(name)
        return start(
            Recorder(database: database ?? self.database, connection: connection, broker: broker, clock: systemClock, logger: quiet)
        )
    }

    func startClient(_ name: String = "client") async throws -> AppendClient {
        let client = AppendClient(connection: try await connect(name), broker: broker, clock: systemClock, logger: quiet)
        start(client)
        return client
    }

    // MARK: History

    /// All events, and their hashes.
    func history() async throws -> [(event: RecordedEvent, hash: [UInt8])] {
        let events = try await LogReader(pool: pool(connections: 1)).events(from: Position(1), through: Position(.max))
        let hashes = try await admin.run {
            try $0.query("select hash from log.events order by position").map { try $0.get(0, [UInt8].self) }
        }
        return Array(zip(events, hashes))
    }

    /// Waits until somebody waits for the transaction that `admin` is in.
    func expectSomebodyWaitsForAdmin() async throws {
        try await eventually("somebody waits for the admin's transaction") {
            try await admin.query(
                "select exists (select from pg_locks where not granted and transactionid::text = pg_current_xact_id_if_assigned()::text)"
            )[0].get(0, Bool.self)
        }
    }

    /// Waits until so many wait for a lock on a table of the log.
    func expectWaiting(_ count: Int64, for table: String) async throws {
        try await eventually("\(count) wait for \(table)") {
            // Databases that were made from one template have the same numbers for their tables.
            try await number(
                """
                select count(*) from pg_locks
                 where not granted and relation = '\(table)'::regclass
                   and database = (select oid from pg_database where datname = current_database())
                """
            ) == count
        }
    }

    /// Checks what must hold of any log: positions and versions without gaps, the chain of hashes, the writer, the
    /// commands. Written apart from the code under test.
    @discardableResult
    func expectSoundLog(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [RecordedEvent] {
        let history = try await history()
        var versions: [String: Int32] = [:]
        var hash = [UInt8](repeating: 0, count: 32)
        var commands: [UUID: [Int64]] = [:]
        var time = Int64.min
        for (index, (event, stored)) in history.enumerated() {
            #expect(event.position.rawValue == Int64(index) + 1, "positions have no gap", sourceLocation: sourceLocation)
            versions[event.stream, default: 0] += 1
            #expect(event.version.rawValue == versions[event.stream], "versions have no gap", sourceLocation: sourceLocation)
            hash = EventHash.hash(after: hash, event)
            #expect(stored == hash, "the chain holds", sourceLocation: sourceLocation)
            #expect(event.recordedAt >= time, "time does not go back", sourceLocation: sourceLocation)
            time = event.recordedAt
            commands[event.commandID, default: []].append(event.position.rawValue)
        }
        let (rows, writer) = try await admin.run { connection in
            (
                try connection.query("select command_id, first_position, last_position from log.commands").map { row in
                    (try row.get(0, UUID.self), [try row.get(1, Int64.self), try row.get(2, Int64.self)])
                },
                try connection.query("select head, hash from log.writer").map { row in
                    (try row.get(0, Int64.self), try row.get(1, [UInt8].self))
                }
            )
        }
        #expect(
            Dictionary(uniqueKeysWithValues: rows) == commands.mapValues { [$0.min() ?? 0, $0.max() ?? 0] }, sourceLocation: sourceLocation)
        for positions in commands.values {
            #expect(positions.count == Int((positions.last ?? 0) - (positions.first ?? 0)) + 1, sourceLocation: sourceLocation)
        }
        #expect(writer.first?.0 == Int64(history.count), sourceLocation: sourceLocation)
        #expect(writer.first?.1 == hash, sourceLocation: sourceLocation)
        return history.map(\.event)
    }
}

/// Something that runs in the background of a test.
final class Running: Sendable {
    private let task: Task<Void, any Error>

    init(_ task: Task<Void, any Error>) {
        self.task = task
    }

    /// Cancels, and waits for the end.
    func stop() async {
        task.cancel()
        _ = await task.result
    }

    /// Waits for the end.
    func end() async throws {
        try await task.value
    }
}

/// What a statement fails with; nil where it does not.
func failure(of sql: String, on connection: PostgresConnection) async -> String? {
    do {
        try await connection.executeScript(sql)
        return nil
    } catch {
        return error.sqlState
    }
}

extension LogWriter {
    /// One batch, as the recorder writes it: the requests at their word where that may be, looked up where it was wrong.
    mutating func write(_ requests: [AppendRequest], now: Int64) async throws -> Written {
        if var draft = draft(after: nil, now: now) {
            add(requests, to: &draft, after: nil, now: now)
            if draft.isSound, try await committer.commit(draft) { return advance(to: draft) }
        }
        return try await writeLookingUp(requests) { now }
    }
}
