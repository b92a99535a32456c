import Domain
import FoundationEssentials
import HTTP

/// Lives the business: step after step it sets the clock, does what members, the front desk and management do then, and waits until the system
/// has come to rest. What they do is decided one after the other by one generator, and what is done at once touches different spaces
/// and different members, so the outcome does not depend on which is faster.
actor SimulationDriver {
    /// What somebody will do at a time, about a booking.
    enum Deed: Sendable {
        case arrive
        case leave
        case cancel
        /// Management cancels it for them, and all of the money goes back, whatever the rules say.
        case pardon
        case move
        /// Says who comes along.
        case invite
        case approve
        /// A payer whose hold has run out pays all the same.
        case payLate(transaction: String)
        /// A visitor pays in cash or by the desk's card machine.
        case payAtDesk
        /// Something went wrong, and the desk gives a part back.
        case makeUp
        /// The desk asks again for a refund that the provider refused.
        case insist
        /// The desk hands over what a rule gives back of money that it took.
        case handOver
    }

    /// What was to be told of the progress.
    typealias Report = @Sendable (_ day: Int, _ bookings: Int) -> Void

    static let step = Duracao.minutos(30)
    /// Nobody does anything at night but the timers.
    private static let wakingHours = 6 * 60..<22 * 60

    let plan: SimulationPlan
    let clock: SimulatedClock
    let client: SimulationClient
    let rest: Rest
    let home: ZonaHoraria
    private let report: Report

    var dice: Dice
    var places: [SimulatedPlace] = []
    var units: [String] = []
    var members: [SimulatedPerson] = []
    /// Of members: which unit they go to.
    var homes: [Int] = []
    var bookings: [String: SimulatedBooking] = [:]
    /// By the time of the step at which it is done, in the order in which it was decided.
    var deeds: [Int64: [(Deed, String)]] = [:]
    /// How often each rule of the business said no.
    var refusals: [String: Int] = [:]
    var asked = 0
    var booked = 0
    var credit = 0.0
    var newcomers: [SimulatedPerson] = []
    var subscribers: [Int] = []
    /// What members have been offered from waitlists and have answered.
    var answered: Set<String> = []
    var waiting = 0
    /// Bookings that were moved and cost more now.
    var owing: [String] = []
    /// Charges beside those of bookings, by the time of the step at which they are paid, or at which it is tried.
    var dues: [Int64: [Due]] = [:]
    /// Those that somebody has decided about.
    var knownCharges: Set<String> = []
    /// Members who had themselves erased.
    var erased: Set<Int> = []
    /// Months that were closed.
    var closed: Set<MesCivil> = []
    /// The demo's member, whose password is known.
    let guest: SimulatedPerson
    let administrator: SimulatedPerson
    let manager = SimulatedPerson(email: "gerencia@coworkflow.test", name: "Gilda Gestora")
    let desk = SimulatedPerson(email: "recepcao@coworkflow.test", name: "Rita Recepção")

    init(
        plan: SimulationPlan,
        clock: SimulatedClock,
        client: SimulationClient,
        rest: Rest,
        home: ZonaHoraria,
        report: @escaping Report
    ) {
        self.plan = plan
        self.clock = clock
        self.client = client
        self.rest = rest
        self.home = home
        self.report = report
        dice = Dice(seed: plan.seed)
        administrator = SimulatedPerson(
            email: DemoData.administrator.email, name: "", password: DemoData.administrator.password
        )
        guest = SimulatedPerson(email: DemoData.member.email, name: "", password: DemoData.member.password)
    }

    /// From the plan's start to its end.
    func run(zones: ZoneCatalog, receiver: SimulatedReceiver) async throws {
        try await open(zones: zones, receiver: receiver)
        var time = plan.start + Self.step
        while time < plan.end {
            let local = home.local(de: time)
            if Self.wakingHours.contains(local.hora.minutos) || deeds[time.microssegundos] != nil {
                try await rest.sleep(until: time)
                try await live(local, until: min(time + Self.step, plan.end))
            }
            report(Int((time - plan.start).microssegundos / Duracao.horas(24).microssegundos), booked)
            time = time + Self.step
        }
        try await rest.sleep(until: plan.end)
    }

    /// One step of a day.
    private func live(_ local: DataHoraLocal, until next: Instante) async throws {
        let time = clock.time
        try await staff()
        try await manage(local)
        try await welcome()
        try await farewell(local)
        try await settleCharges(local)
        try await attend(at: time)
        guard time + .minutos(10) < next else { return }
        try await rest.sleep(until: time + .minutos(2))
        try await change(at: time)
        try await rest.sleep(until: time + .minutos(5))
        let unpaid = try await owing + book(local) + approved(at: time) + offered()
        owing = []
        try await rest.sleep(until: time + .minutos(7))
        try await pay(unpaid)
    }

    /// Staff have tokens that hold, before several things are done in their name at once.
    private func staff() async throws {
        let now = clock.now
        for person in [administrator, manager, desk] { try await person.signIn(client, at: now) }
    }

    // MARK: What all phases share

    func place(named id: String) -> Int? { places.firstIndex { $0.id == id } }

    /// So many members, who are known to be there, have tokens that hold.
    func signIn(_ indices: some Sequence<Int>) async throws {
        let (client, now) = (client, clock.now)
        _ = try await together(Set(indices).subtracting(erased).sorted().map { members[$0] }) { try await $0.signIn(client, at: now) }
    }

    func note(_ reply: Reply) {
        if !reply.isDone { refusals[reply.code, default: 0] += 1 }
    }

    /// At the first step that is not before a time; nothing after the simulation's end.
    func plan(_ deed: Deed, _ booking: String, at time: Instante) {
        guard let due = step(at: time) else { return }
        deeds[due, default: []].append((deed, booking))
    }

    /// The first step that is not before a time; nil after the simulation's end.
    func step(at time: Instante) -> Int64? {
        let steps = ((time - plan.start).microssegundos + Self.step.microssegundos - 1) / Self.step.microssegundos
        let due = plan.start.microssegundos + steps * Self.step.microssegundos
        return due < plan.end.microssegundos ? due : nil
    }

    /// Does things that belong to spaces: those of one space in order, those of different spaces at once.
    func bySpace<Thing: Sendable, Outcome: Sendable>(
        _ things: [(place: Int, thing: Thing)],
        _ body: @escaping @Sendable (Thing) async throws -> Outcome
    ) async throws -> [Outcome] {
        let lanes = Dictionary(grouping: things.indices, by: { things[$0].place }).sorted { $0.key < $1.key }.map(\.value)
        let outcomes = try await together(lanes) { lane in
            var done: [(Int, Outcome)] = []
            for index in lane { done.append((index, try await body(things[index].thing))) }
            return done
        }
        return outcomes.flatMap(\.self).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
