import Domain
import Postgres
import TestSupport

extension TestSystem {
    static func text(microseconds: Int64) -> String { Instante(microssegundos: microseconds).texto }

    /// Sets the clock to a time that the API has given, and so much more.
    func jump(to text: String, plus minutes: Int = 0) throws {
        guard let instant = Instante(text) else { throw NeverHappened("\(text) is no time") }
        clock.jump(to: instant.microssegundos + Int64(minutes) * 60_000_000)
    }

    /// Sets the clock as `jump` does, when nothing that is due is left to do: a command that is on its way would miss its deadline.
    func proceed(to text: String, plus minutes: Int = 0) async throws {
        try await eventually("what is due is done", within: .seconds(60)) {
            let now = PostgresTimestamp(microsecondsSinceEpoch: clock.now)
            return try await pool.withConnection { connection in
                try connection.query("select count(*) from subs.timers where due <= $1", now).first?.get(0, Int64.self) == 0
            }
        }
        try jump(to: text, plus: minutes)
    }
}
