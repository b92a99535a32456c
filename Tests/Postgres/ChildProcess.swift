import FoundationEssentials
import Glibc

/// A program that a test runs beside itself, writing to a file.
///
/// Not Foundation's `Process`, which waits for whoever inherits what it waits for, a server of the script's for example; nor `popen`. Both pass
/// on the test's sockets, whose other ends then see no close, and the signals that Dispatch blocks.
struct ChildProcess {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let identifier: pid_t
    private let outputPath: String

    /// Starts a program by its path or, without a slash, its name.
    init(_ command: [String], output: String) throws {
        outputPath = output
        let closing = #"for fd in /proc/self/fd/*; do fd=${fd##*/}; if ((fd > 2)); then eval "exec $fd>&-"; fi; done; exec "$@""#
        let command = ["bash", "-c", closing, "bash"] + command
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        var unblocked = sigset_t()
        var identifier = pid_t()
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        // The structures are local, and the copies of the strings live until the call is over.
        let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { string in unsafe free(string) } }
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe sigemptyset(&unblocked)
        unsafe posix_spawnattr_setsigmask(&attributes, &unblocked)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let error = unsafe posix_spawnp(&identifier, command[0], &actions, &attributes, arguments, variables)
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        guard error == 0 else { throw Failed(description: "bash cannot be started: error \(error)") }
        self.identifier = identifier
    }

    /// What it has written so far.
    func output() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: outputPath)), as: UTF8.self)
    }

    /// Waits, blocking, until it ends.
    ///
    /// - Returns: Whether it ended by itself and with code 0.
    @discardableResult
    func wait() -> Bool {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    func kill() {
        _ = Glibc.kill(identifier, SIGKILL)
        wait()
    }
}
