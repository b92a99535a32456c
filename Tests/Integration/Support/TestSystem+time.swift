import Domain

extension TestSystem {
    static func text(microseconds: Int64) -> String { Instante(microssegundos: microseconds).texto }

    /// Sets the clock to a time that the API has given, and so much more.
    func jump(to text: String, plus minutes: Int = 0) throws {
        guard let instant = Instante(text) else { throw NeverHappened("\(text) is no time") }
        clock.jump(to: instant.microssegundos + Int64(minutes) * 60_000_000)
    }
}
