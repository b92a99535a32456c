/// What the connection's thread still has to do, in order, and the long message that is on its way out.
struct Outbox {
    struct Partial {
        let body: [UInt8]
        let channel: UInt16
        let purpose: OutgoingPublish.Purpose
        var offset = 0
        /// The broker has closed the channel meanwhile.
        var refusal: (code: UInt16, text: String)?
    }

    private var commands: [Command] = []
    private var head = 0
    var partial: Partial?

    var count: Int { commands.count - head }
    var isEmpty: Bool { head == commands.count && partial == nil }

    mutating func append(_ commands: [Command]) {
        guard !self.commands.isEmpty else {
            self.commands = commands
            return
        }
        self.commands.removeFirst(head)
        head = 0
        self.commands += commands
    }

    mutating func next() -> Command? {
        guard head < commands.count else { return nil }
        let command = commands[head]
        head += 1
        if head == commands.count {
            // Lets go of the messages that have been sent.
            commands.removeAll(keepingCapacity: true)
            head = 0
        }
        return command
    }
}
