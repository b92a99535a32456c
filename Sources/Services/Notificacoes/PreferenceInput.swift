import Domain
import EventStore
import FoundationEssentials
import HTTP

/// Preferences as somebody sends them: all of them, what is left out is as it is by default.
struct PreferenceInput: Decodable {
    struct Kind: Decodable {
        let kind: String
        let channels: [String]
    }

    struct QuietHours: Decodable {
        let from: String
        let to: String
        let timezone: String
    }

    let language: String?
    let kinds: [Kind]?
    let quietHours: QuietHours?
    let phone: String?
    let pushToken: String?

    func checkedLanguage() throws(Problem) -> IdiomaDoAviso {
        guard let language else { return .portugues }
        guard let known = IdiomaDoAviso(rawValue: language) else { throw .invalid(field: "language", "must be pt-BR or en") }
        return known
    }

    func checkedChoices() throws(Problem) -> [EscolhaDeCanais] {
        var choices: [EscolhaDeCanais] = []
        for (place, input) in (kinds ?? []).prefix(TipoDeAviso.preferiveis.count + 1).enumerated() {
            let names = TipoDeAviso.preferiveis.map(\.apiName).joined(separator: ", ")
            guard let kind = TipoDeAviso(apiName: input.kind) else {
                throw .invalid(field: "kinds.\(place).kind", "must be one of \(names)")
            }
            guard !choices.contains(where: { $0.tipo == kind }) else { throw .invalid(field: "kinds.\(place).kind", "must come once") }
            var channels: Set<Canal> = []
            for name in input.channels {
                guard let channel = Canal(rawValue: name) else {
                    throw .invalid(field: "kinds.\(place).channels", "must be of \(Canal.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                channels.insert(channel)
            }
            choices.append(EscolhaDeCanais(tipo: kind, canais: channels))
        }
        return choices
    }

    func checkedQuietHours(_ zones: ZoneCatalog) throws(Problem) -> HorasDeSilencio? {
        guard let quietHours else { return nil }
        guard let from = HoraLocal(quietHours.from) else { throw .invalid(field: "quiet_hours.from", "must be a time such as 22:00") }
        guard let to = HoraLocal(quietHours.to) else { throw .invalid(field: "quiet_hours.to", "must be a time such as 07:00") }
        guard (try? zones.zone(quietHours.timezone)) != nil else {
            throw .invalid(field: "quiet_hours.timezone", "must be a time zone such as America/Sao_Paulo")
        }
        guard let silence = HorasDeSilencio(de: from, ate: to, fuso: quietHours.timezone) else {
            throw .invalid(field: "quiet_hours.to", "must be another time than from, and neither may be 24:00")
        }
        return silence
    }

    func checkedPhone() throws(Problem) -> String? {
        guard let phone, !phone.isEmpty else { return nil }
        return try PhoneNumber(phone, field: "phone").text
    }

    func checkedPushToken() throws(Problem) -> String? {
        guard let pushToken, !pushToken.isEmpty else { return nil }
        guard pushToken.utf8.count <= 512, pushToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid(field: "push_token", "must have at most 512 letters, no spaces among them")
        }
        return pushToken
    }
}
