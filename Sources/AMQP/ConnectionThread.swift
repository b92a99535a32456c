import Glibc
import Logging

/// The one thread of a connection: connects, runs the session, and connects again until it is told to stop.
struct ConnectionThread: Sendable {
    let core: ConnectionCore
    let wakeUp: WakeUp

    /// - Parameter whenDone: Called as the thread's last act.
    func start(whenDone: @escaping @Sendable () -> Void) {
        let body = Body {
            setName()
            run()
            whenDone()
        }
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(body).toOpaque()
        let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            guard let argument = unsafe argument else { return nil }
            // `start` has retained it for this thread.
            unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }
        let status = unsafe pthread_create(&thread, nil, entry, argument)
        guard status == 0 else { fatalError("no thread can be started (\(status))") }
        pthread_detach(thread)
    }

    /// Tells this thread from others in what the system shows, whose limit is 15 bytes.
    private func setName() {
        let name = Array("amqp \(core.configuration.connectionName)".utf8.prefix(15))
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.count)
        close(file)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private func run() {
        var failures = 0
        var reported: AMQPError?
        while !core.isStopRequested {
            let outcome = connectOnce()
            guard let error = outcome.error else { break }
            if outcome.wasLive { (failures, reported) = (0, nil) }
            // Said once per kind of failure, not for every attempt of a long outage.
            core.logger.log(
                level: error == reported ? .debug : .warning,
                outcome.wasLive ? "connection to the broker lost" : "cannot connect to the broker",
                metadata: ["broker": "\(core.configuration)", "error": "\(error)"]
            )
            reported = error
            wakeUp.wait(timeout: pause(after: failures))
            failures += 1
        }
        core.ended()
    }

    /// - Returns: No error after a clean close.
    private func connectOnce() -> (error: AMQPError?, wasLive: Bool) {
        let configuration = core.configuration
        let session: Session
        do throws(AMQPError) {
            let link = try BrokerLink(configuration)
            session = Session(core: core, link: link, wakeUp: wakeUp)
        } catch {
            _ = core.disconnected(error)
            return (error, false)
        }
        do throws(AMQPError) {
            try session.run()
            session.end(.closed.withUnknownOutcome(), unsent: .closed)
            return (nil, session.wasLive)
        } catch {
            session.end(error == .connectionLost ? error : .connectionLost(detail: error.description), unsent: .notConnected)
            core.setLastFailure(error)
            return (error, session.wasLive)
        }
    }

    /// Doubles from 50 ms to 2 s, less up to half of it, so that many clients do not come back in step.
    private func pause(after failures: Int) -> Duration {
        let longest = min(2_000, 50 << min(failures, 6))
        return .milliseconds(Int.random(in: longest / 2...longest))
    }
}
