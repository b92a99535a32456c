import Configuration
import Foundation
import Glibc

/// Lets a role that `coworkflow dev --split` started end with it, even when that was killed: its standard input is a pipe
/// that the parent holds open.
enum ParentWatch {
    static let variable = "COWORKFLOW_PARENT_HOLDS_STDIN"

    static func start(_ config: ConfigReader) {
        guard config.bool(forKey: "parent.holds.stdin", default: false) else { return }
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while unsafe read(STDIN_FILENO, &byte, 1) > 0 {}
            kill(getpid(), SIGTERM)
        }
    }
}
