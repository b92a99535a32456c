import AMQP
import Postgres

#if FAULT_POINTS
    import Glibc
    import Synchronization
#endif

/// A step of the recorder, or of a service that asks others, at which a test build can be killed, paused or cut off from its database.
///
/// Compiled in under `FAULT_POINTS`, which Package.swift defines for debug builds: in a release build the calls are empty.
///
/// A test writes an order, `POINT ACTION HITS` such as `before-commit kill 3`, into the file that the environment variable
/// `COWORKFLOW_FAULT_POINTS` names, whenever it likes. The recorder that comes to the point for that many times since takes the
/// file away and obeys, once; of two recorders only one gets the file.
package enum FaultPoint: String {
    /// Nothing of the batch has been sent.
    case beforeFence = "before-fence"
    /// Postgres has run the fence, in a transaction that is open and holds the writer's row; nothing else was sent.
    case beforeInsert = "before-insert"
    /// Postgres has run the whole batch and was not told to commit.
    case beforeCommit = "before-commit"
    /// Postgres has committed, and its answer was not read.
    case beforeAnswer = "before-answer"
    /// The recorder knows of the commit, and has told nobody.
    case afterCommit = "after-commit"
    /// The broker has the replies, and nothing was announced.
    case afterReply = "after-reply"
    /// The payment provider has done what it was asked, and nothing of it is recorded.
    case afterProvider = "after-provider"

    /// Has the batch that is written next over a connection meet the points that lie before its commit.
    @inline(__always)
    static func arm(_ connection: isolated PostgresConnection) throws {
        #if FAULT_POINTS
            guard let order = Order.current, let place = order.point.place, order.isReached() else { return }
            try connection.interruptNextPipeline(at: place) { order.obey() }
        #endif
    }

    /// The process is at a point.
    @inline(__always)
    package static func hit(_ point: FaultPoint) {
        #if FAULT_POINTS
            if let order = Order.reached(at: point) { _ = order.obey() }
        #endif
    }

    /// The recorder is at a point before which something was published.
    ///
    /// - Parameter connection: over which it must have left.
    @inline(__always)
    static func hit(_ point: FaultPoint, sentOver connection: AMQPConnection) async {
        #if FAULT_POINTS
            guard let order = Order.reached(at: point) else { return }
            // A message that no queue takes is confirmed as well, after all that went before it over the connection.
            let marker = AMQPMessage(body: [])
            try? await connection.publishConfirmed(marker, exchange: "", routingKey: "coworkflow.nobody", timeout: .seconds(2))
            _ = order.obey()
        #endif
    }
}

#if FAULT_POINTS
    extension FaultPoint {
        /// Where orders are found; tests inside a process have one each.
        @TaskLocal static var orders: String? = unsafe getenv("COWORKFLOW_FAULT_POINTS").map { unsafe String(cString: $0) }

        fileprivate var place: PipelineInterruption.Place? {
            switch self {
            case .beforeFence: .before(step: 0)
            case .beforeInsert: .before(step: 1)
            case .beforeCommit: .beforeSync
            case .beforeAnswer: .beforeAnswer
            case .afterCommit, .afterReply, .afterProvider: nil
            }
        }

        /// What a test wants done.
        struct Order: Sendable, Equatable {
            enum Action: String {
                case kill
                case stop
                /// Only at the points before the commit's answer: after that the recorder does not need the connection for the batch.
                case cut
            }

            let point: FaultPoint
            let action: Action
            let hits: Int
            fileprivate let file: String

            init?(_ text: String, file: String) {
                let words = text.split(whereSeparator: \.isWhitespace)
                guard words.count == 3, let point = FaultPoint(rawValue: String(words[0])), let action = Action(rawValue: String(words[1])),
                    let hits = Int(words[2]), hits > 0, action != .cut || point.place != nil
                else { return nil }
                (self.point, self.action, self.hits, self.file) = (point, action, hits, file)
            }

            /// What the file says at this moment.
            static var current: Order? {
                guard let file = orders, let stream = unsafe fopen(file, "r") else { return nil }
                // The stream is this function's own, and the buffer outlives the call that fills it.
                defer { unsafe fclose(stream) }
                var buffer = [UInt8](repeating: 0, count: 200)
                let count = unsafe fread(&buffer, 1, buffer.count, stream)
                return Order(String(decoding: buffer[..<count], as: UTF8.self), file: file)
            }

            /// The order that is to be obeyed at a point now.
            static func reached(at point: FaultPoint) -> Order? {
                guard let order = current, order.point == point, order.isReached() else { return nil }
                return order
            }

            private static let met = Mutex<[String: Int]>([:])

            /// Counts, and says whether the time has come.
            func isReached() -> Bool {
                let count = Self.met.withLock { met in
                    met[file, default: 0] += 1
                    return met[file, default: 0]
                }
                return count >= hits
            }

            /// Returns where nobody else was quicker and the process goes on: false if it is to lose its connection.
            func obey() -> Bool {
                guard unsafe unlink(file) == 0 else { return true }
                Self.met.withLock { $0[file] = nil }
                switch action {
                case .kill: kill(getpid(), SIGKILL)
                // To this very thread: another one might be late in taking it, and this one go on meanwhile.
                case .stop: raise(SIGSTOP)
                case .cut: return false
                }
                return true
            }
        }
    }
#endif
