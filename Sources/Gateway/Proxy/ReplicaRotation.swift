/// Which replica of a service is asked next: each in turn, those that just failed last.
struct ReplicaRotation: Sendable {
    /// How long a replica that could not be reached is passed over.
    static let rest = Duration.seconds(2)

    private struct Replica: Sendable {
        let url: String
        var restsUntil: ContinuousClock.Instant?
    }

    private var replicas: [Replica]
    private var turn = 0

    init(urls: [String]) {
        precondition(!urls.isEmpty, "a service needs a replica")
        replicas = urls.map { Replica(url: $0) }
    }

    /// All replicas in the order in which to try them. Resting ones come last rather than never: when all rest, one of
    /// them may be back.
    mutating func candidates(at now: ContinuousClock.Instant) -> [String] {
        let first = turn
        turn = (turn + 1) % replicas.count
        let order = replicas.indices.map { replicas[(first + $0) % replicas.count] }
        let isResting = { (replica: Replica) in replica.restsUntil.map { $0 > now } ?? false }
        return (order.filter { !isResting($0) } + order.filter(isResting)).map(\.url)
    }

    mutating func failed(_ url: String, at now: ContinuousClock.Instant) {
        setRest(of: url, until: now + Self.rest)
    }

    mutating func answered(_ url: String) {
        setRest(of: url, until: nil)
    }

    private mutating func setRest(of url: String, until time: ContinuousClock.Instant?) {
        for index in replicas.indices where replicas[index].url == url {
            replicas[index].restsUntil = time
        }
    }
}
