import FoundationEssentials
import Synchronization
import Testing

/// Texts that must appear nowhere in the log of events, nor in what the system logs.
final class Confidential: Sendable {
    private let texts = Mutex<Set<String>>([])
    private let secrets = Mutex<Set<String>>([])

    /// Personal data: only read models show it.
    var personal: [String] { texts.withLock { $0.sorted() } }

    /// Nothing in the database may show them.
    var passwords: [String] { secrets.withLock { $0.sorted() } }

    func add(_ text: String) -> String {
        texts.withLock { _ = $0.insert(text) }
        return text
    }

    func add(password: String) -> String {
        secrets.withLock { _ = $0.insert(password) }
        return password
    }
}

/// Somebody whom nobody has met before.
struct Person: Sendable {
    let email: String
    let password: String
    let name: String

    init(_ label: String, _ confidential: Confidential) {
        let unique = UUID().uuidString.prefix(8).lowercased()
        email = confidential.add("\(label).\(unique)@exemplo.test")
        password = confidential.add(password: "Segredo-\(unique)-çã")
        name = confidential.add("Fulana \(label) Ação \(unique)")
    }

    var signUp: JSONValue { ["email": .string(email), "password": .string(password), "name": .string(name)] }
    var credentials: JSONValue { ["email": .string(email), "password": .string(password)] }

    /// Opens a session.
    func logIn(_ visitor: Client, id: String) async throws -> Member {
        let answer = try await visitor.persistently { try await $0.post("/auth/login", credentials) }.expect(200)
        return Member(
            person: self,
            id: id,
            client: visitor.asking(with: try answer.text("token")),
            refreshToken: try answer.text("refresh_token")
        )
    }
}

/// Somebody with an account who has signed in.
struct Member: Sendable {
    let person: Person
    let id: String
    /// With their access token.
    let client: Client
    let refreshToken: String
}

extension TestSystem {
    /// A new member.
    func member(_ label: String = "membro") async throws -> Member {
        let person = Person(label, confidential)
        let answer = try await visitor.persistently { try await $0.post("/auth/signup", person.signUp, key: person.email) }.expect(201)
        return try await person.logIn(visitor, id: try answer.text("id"))
    }

    /// Somebody of the desk.
    func receptionist() async throws -> Member {
        let member = try await member("recepcao")
        try await administrator().client.post("/admin/promote/\(member.id)", ["role": "recepcao"]).expect(200)
        return try await member.person.logIn(visitor, id: member.id)
    }

    /// The administrator with a token that holds, whatever the clock did.
    func administrator() async throws -> Member {
        try await founder.person.logIn(visitor, id: founder.id)
    }
}
