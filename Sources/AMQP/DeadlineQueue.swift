/// A binary heap of what falls due when.
struct DeadlineQueue<Target> {
    private var heap: [(due: ContinuousClock.Instant, target: Target)] = []

    var earliest: ContinuousClock.Instant? { heap.first?.due }

    mutating func insert(_ target: Target, due: ContinuousClock.Instant) {
        heap.append((due, target))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest entry if it is due, or if it is `obsolete`.
    mutating func pop(at now: ContinuousClock.Instant, obsolete: (Target) -> Bool = { _ in false }) -> Target? {
        guard let first = heap.first, first.due <= now || obsolete(first.target) else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].due < heap[smallest].due {
                smallest = child
            }
            guard smallest != parent else { return first.target }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
