import Foundation

/// The files of this project.
enum Project {
    static let root: URL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file, with its path from the root.
    struct File: Sendable, CustomStringConvertible {
        let path: String
        let lines: [String]
        /// The lines with comments, and with the texts of string literals, blanked out.
        let code: [String]

        var description: String { path }

        init(path: String, text: String) {
            self.path = path
            lines = text.components(separatedBy: "\n")
            code = SwiftCode.only(of: text).components(separatedBy: "\n")
        }

        /// The numbers of the lines of code that match. Patterns are slow, so only lines with one of the words are looked at.
        func lines(with words: [String], matching pattern: some RegexComponent) -> [Int] {
            code.indices.filter { index in words.contains { code[index].range(of: $0) != nil } && code[index].contains(pattern) }
        }

        func place(_ index: Int) -> String { "\(path):\(index + 1)" }

        /// Whether a comment stands above a line, or in it. Attributes may come between.
        func isExplained(_ index: Int) -> Bool {
            if lines[index].contains("//") { return true }
            var above = index - 1
            while above >= 0, lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("@") { above -= 1 }
            return above >= 0 && lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("//")
        }
    }

    /// Read once: every test looks at all of them.
    private static let all = Result {
        try paths(under: ["Sources", "Tests"]).filter { $0.hasSuffix(".swift") }.map { path in
            File(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
        }
    }

    static func swiftFiles(under folders: String...) throws -> [File] {
        try all.get().filter { file in folders.contains { file.path.hasPrefix("\($0)/") } }
    }

    /// Every file below, sorted.
    static func paths(under folders: [String]) -> [String] {
        folders.flatMap { folder -> [String] in
            let place = root.appending(path: folder)
            guard let names = FileManager.default.subpaths(atPath: place.resolvingSymlinksInPath().path) else { return [] }
            return names.map { "\(folder)/\($0)" }.filter { !isFolder($0) }
        }.sorted()
    }

    /// Whether a file has a text.
    static func file(_ path: String, has text: String) -> Bool {
        (try? Data(contentsOf: root.appending(path: path)))?.range(of: Data(text.utf8)) != nil
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = ObjCBool(false)
        return unsafe FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
