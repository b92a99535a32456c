import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Runs each role as a process of its own, and starts again what ends by itself, as ECS would.
final class ChildProcesses: Service {
    private static let patience = Duration.seconds(4)
    /// A role that fails sooner than this after its first start has wrong settings, or a port that is taken.
    private static let infancy = Duration.seconds(10)

    private let roles: [Role]
    private let logger: Logger
    private let running = Mutex<[Role: Process]>([:])

    init(roles: [Role], logger: Logger) {
        self.roles = roles
        self.logger = logger
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup { group in
                    for role in self.roles {
                        group.addTask { try await self.keepRunning(role) }
                    }
                    for try await _ in group {}
                }
            }
        } catch {
            await stop()
            throw error
        }
        await stop()
    }

    /// - Throws: `ExitCode` where the role cannot even start: it has said what is wrong, and would say it again for ever.
    private func keepRunning(_ role: Role) async throws {
        let infancy = ContinuousClock.now + Self.infancy
        var isFirstStart = true
        while !Task.isCancelled {
            do {
                let code = try await self.runOnce(role)
                guard !Task.isCancelled else { return }
                if isFirstStart, code == ExitCode.failure.rawValue, ContinuousClock.now < infancy { throw ExitCode.failure }
                logger.error("a role ended by itself; starting it again", metadata: ["role": "\(role.name)", "code": "\(code)"])
            } catch let exit as ExitCode {
                throw exit
            } catch {
                logger.error("a role cannot be started", metadata: ["role": "\(role.name)", "error": "\(error)"])
            }
            isFirstStart = false
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// - Returns: the code it ended with; 0 as soon as the task is cancelled, leaving the process to `stop`.
    private func runOnce(_ role: Role) async throws -> Int32 {
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        // One at a time: a process that is started meanwhile would inherit the ends of this one's pipe and of the socket by whose closing
        // Foundation finds out that this one has ended, and keep both open for as long as it runs itself.
        try running.withLock { running in
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = role.arguments
            var environment = ProcessInfo.processInfo.environment
            environment["COWORKFLOW_ENVIRONMENT"] = Settings.Environment.development.rawValue
            environment[ParentWatch.variable] = "true"
            process.environment = environment
            process.standardInput = Pipe()
            process.terminationHandler = { process in
                end.yield(process.terminationStatus)
                end.finish()
            }
            try process.run()
            running[role] = process
        }
        for await code in ends {
            running.withLock { $0[role] = nil }
            return code
        }
        return 0
    }

    /// Asks all to stop, the gateway first and the recorder last so that nobody loses what they still need, and kills what is
    /// left at the end.
    private func stop() async {
        let deadline = ContinuousClock.now + Self.patience
        let processes = running.withLock { $0 }
        for role in roles.reversed() {
            guard let process = processes[role] else { continue }
            process.terminate()
            while process.isRunning, ContinuousClock.now < deadline, role == .gateway {
                // Not cancellable: the group is shutting down already, and this is its end.
                await Self.pause()
            }
        }
        while processes.values.contains(where: \.isRunning), ContinuousClock.now < deadline { await Self.pause() }
        for process in processes.values where process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private static func pause() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { continuation.resume() }
        }
    }
}
