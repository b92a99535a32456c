import HTTP
import HTTPTypes
import Testing

@Suite struct ProblemTests {
    /// What a due command that fails leaves for operators is the error's description.
    @Test func `an operator reads a problem's code and its sentence, in English and whatever else it carries`() {
        var refused = Problem(
            .conflict, code: "slot_taken", portuguese: "O horário está ocupado.", english: "The slot is taken."
        )
        refused.retryAfter = 5
        refused.violations = [.init(field: "start_time", message: "taken")]
        for (error, text) in [
            (Problem.notFound as any Error, "not_found: There is nothing here."), (refused, "slot_taken: The slot is taken."),
        ] {
            #expect("\(error)" == text)
        }
    }
}
