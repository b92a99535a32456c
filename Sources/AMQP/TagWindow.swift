/// What is outstanding under the consecutive tags 1, 2, 3 … of a channel: messages to confirm, or deliveries to settle.
struct TagWindow<Element> {
    private var base: UInt64 = 1
    private var head = 0
    private var elements: [Element?] = []

    /// The tag that the next element gets.
    var nextTag: UInt64 { base + UInt64(elements.count - head) }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    subscript(tag: UInt64) -> Element? {
        guard tag >= base, tag < nextTag else { return nil }
        return elements[head + Int(tag - base)]
    }

    mutating func remove(_ tag: UInt64) -> Element? {
        guard tag >= base, tag < nextTag else { return nil }
        let index = head + Int(tag - base)
        defer { trim() }
        defer { elements[index] = nil }
        return elements[index]
    }

    /// Removes everything up to and including `tag`; AMQP's tag zero means all.
    mutating func removeAll(upTo tag: UInt64) -> [Element] {
        let end = tag == 0 ? nextTag : min(tag + 1, nextTag)
        guard end > base else { return [] }
        let range = head..<(head + Int(end - base))
        let removed = elements[range].compactMap(\.self)
        for index in range { elements[index] = nil }
        trim()
        return removed
    }

    private mutating func trim() {
        while head < elements.count, elements[head] == nil {
            head += 1
            base += 1
        }
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 1_024, head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
    }
}
