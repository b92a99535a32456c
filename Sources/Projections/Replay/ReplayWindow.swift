import EventStore

/// Cuts a stretch of the log into pieces that are read at once: as many positions as lately made a few megabytes.
struct ReplayWindow {
    /// What a piece should come to, in bytes of payload and metadata.
    private static let aim = 4 << 20
    private static let limits: ClosedRange<Int64> = 64...8192

    private var position: Position
    private let end: Position
    private var size: Int64 = 2048

    init(after start: Position, through end: Position) {
        position = start
        self.end = end
    }

    /// The next piece: the positions after `start` up to `end`. Nil where there are no more.
    mutating func next() -> (start: Position, end: Position)? {
        guard position < end else { return nil }
        let piece = (position, Position(min(position.rawValue + size, end.rawValue)))
        position = piece.1
        return piece
    }

    /// Learns how large a piece was.
    mutating func took(bytes: Int) {
        if bytes > Self.aim {
            size = max(Self.limits.lowerBound, size / 2)
        } else if bytes < Self.aim / 2 {
            size = min(Self.limits.upperBound, size * 2)
        }
    }
}
