import Domain
import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    @Suite(.serialized, .system(mayLogErrors: true))
    struct ErasureWithoutList {
        @Test("As long as the list cannot be written, no key is deleted; then it is")
        func unwritable() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            // Given a folder where the list should be
            let list = URL(filePath: try system.erasures.path)
            try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)

            // When somebody is erased
            try await member.client.delete("/users/me", ["password": .string(member.person.password)]).expect(200)

            // Then it is tried, says why it fails, and leaves the key
            try await eventually("the failure is recorded") {
                try await system.pool.withConnection { connection in
                    try connection.query("select 1 from subs.timers where last_error like '%list of erasures%cannot be used%'").isEmpty
                        == false
                }
            }
            #expect(try await system.hasKey(member.id))
            // When the list can be written, then it is done
            try FileManager.default.removeItem(at: list)
            try await eventually("the key is deleted", within: .seconds(30)) { try await !system.hasKey(member.id) }
            #expect(try system.erasures.read().users.map(\.texto) == [member.id])
        }
    }
}

@Suite struct ErasureListTests {
    private func withList(_ body: (ErasureList) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "erasures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(ErasureList(path: file.path))
    }

    @Test func `what is added is read back, each person once`() async throws {
        try await withList { list in
            let (ana, bia) = ("01890a5d-ac96-774b-bcce-b302099a0001", "01890a5d-ac96-774b-bcce-b302099a0002")
            for subject in [ana, bia, ana] { try await list.append(.init(subject: subject, at: Instante(segundos: 0))) }
            let read = try list.read()
            #expect(read.users.map(\.texto) == [ana, bia])
            #expect(read.unreadable.isEmpty)
        }
    }

    @Test func `a line that was not finished hides no other and is named`() async throws {
        try await withList { list in
            let (ana, bia) = ("01890a5d-ac96-774b-bcce-b302099a0001", "01890a5d-ac96-774b-bcce-b302099a0002")
            try await list.append(.init(subject: ana, at: Instante(segundos: 0)))
            var torn = try Data(contentsOf: URL(filePath: list.path))
            torn.append(Data(#"{"erased_at":"1970-01-01T00"#.utf8))
            try torn.write(to: URL(filePath: list.path))
            try await list.append(.init(subject: bia, at: Instante(segundos: 0)))
            let read = try list.read()
            #expect(read.users.map(\.texto) == [ana, bia])
            #expect(read.unreadable == [3])
        }
    }

    @Test func `a list that cannot be written stops the erasure before anything is deleted`() async throws {
        let list = ErasureList(path: "/nonexistent/erasures")
        await #expect(throws: ErasureList.Inaccessible.self) {
            try await list.append(.init(subject: "01890a5d-ac96-774b-bcce-b302099a0001", at: Instante(segundos: 0)))
        }
        #expect(throws: ErasureList.Inaccessible.self) { try list.read() }
    }
}
