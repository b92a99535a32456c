import AMQP
import ArgumentParser
import EventStore
import Foundation
import Postgres
import Projections

/// Live read models: how many events a second they keep up with, and how long after its commit an event can be seen.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "follow", abstract: "Measure live read models.")

    func run() async throws {
        throw ValidationError("not yet")
    }
}
