/// A way by which somebody is told something. Stored as its name.
package enum Canal: String, Sendable, Codable, CaseIterable, Comparable {
    case app
    case email
    case sms
    case push

    private var ordem: Int {
        switch self {
        case .app: 0
        case .email: 1
        case .sms: 2
        case .push: 3
        }
    }

    package static func < (a: Canal, b: Canal) -> Bool { a.ordem < b.ordem }
}
