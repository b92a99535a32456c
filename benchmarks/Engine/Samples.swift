import EventStore
import Foundation

/// What is appended.
enum Samples {
    private static let metadata = Array(
        #"{"correlation":"0b1f3a52-5a9b-4a6e-8f55-3c1e2d4b6a79","principal":"01890a5d-ac96-774b-bcce-b302099a0001"}"#.utf8
    )

    /// Events of 400 bytes in one new stream: what the other stores are measured with.
    ///
    /// - Parameter generator: of ids, which begin with the time, as the program's do. A system call for each would be measured as well.
    static func request(events: Int, using generator: inout some RandomNumberGenerator) -> AppendRequest {
        let now = microseconds()
        let booking = UUID.v7(microseconds: now, using: &generator).uuidString.lowercased()
        let payload = Array(cancelled(booking).utf8)
        let events = (0..<events).map { _ in
            NewEvent(
                id: .v7(microseconds: now, using: &generator), type: "reservas.ReservaCancelada", schemaVersion: 1, payload: payload,
                metadata: metadata
            )
        }
        return AppendRequest(
            commandID: .v7(microseconds: now, using: &generator),
            fingerprint: [],
            deadline: now + 10_000_000,
            streams: [StreamAppend(stream: "reserva-\(booking)", expected: .none, events: events)]
        )
    }

    static func event(_ type: String, _ payload: String, _ now: Int64) -> NewEvent {
        NewEvent(id: .v7(microseconds: now), type: type, schemaVersion: 1, payload: Array(payload.utf8), metadata: metadata)
    }

    static func cancelled(_ booking: String) -> String {
        #"{"em":"2026-03-02T12:00:00.123456Z","justificativa":"v1:anVzdGE=","motivo":"membro","#
            + #""por":"01890a5d-ac96-774b-bcce-b302099a0001","reembolso":{"antecedencia_min":600,"excepcional":false,"#
            + #""faixa":{"antecedencia_min":240,"percentual":50},"pago":{"centavos":10000,"moeda":"BRL"},"percentual":50,"#
            + #""regras_versao":2,"valor":{"centavos":5000,"moeda":"BRL"}},"reserva":"\#(booking)"}"#
    }
}

/// A history of bookings: each request is one day of one of fifty spaces, with ten bookings of an hour that are asked for, confirmed and
/// then concluded, or cancelled, one in eight. Events as the program writes them, 440 bytes of payload on average.
struct History: Sendable {
    static let spaces: Int64 = 50
    static let bookings: Int64 = 10
    private static let members: Int64 = 5000

    /// What request `number`, from 0 on, appends.
    static func request(_ number: Int64) -> AppendRequest {
        let space = id(0x5000, number % spaces)
        let day = date(number / spaces)
        let now = microseconds()
        var agenda: [NewEvent] = []
        var streams: [StreamAppend] = []
        for slot in 0..<bookings {
            let serial = number * bookings + slot
            let booking = id(0xB000, serial)
            var events = [
                Samples.event("reservas.ReservaSolicitada", asked(booking, space, id(0xA000, serial * 7919 % members), day, slot), now),
                Samples.event(
                    "reservas.ReservaConfirmada",
                    #"{"em":"\#(day)T10:00:01Z","motivo":"operador","por":"01890a5d-ac96-774b-bcce-b302099a0007","reserva":"\#(booking)"}"#,
                    now
                ),
            ]
            agenda.append(
                Samples.event(
                    "reservas.HorarioOcupado",
                    #"{"dia":"\#(day)","em":"\#(day)T10:00:00Z","espaco":"\#(space)","intervalo":{"fim":"\#(day)T\#(hour(slot + 12)):00:00Z","#
                        + #""inicio":"\#(day)T\#(hour(slot + 11)):00:00Z"},"lugares":1,"reserva":"\#(booking)"}"#,
                    now
                )
            )
            if serial % 8 == 0 {
                events.append(Samples.event("reservas.ReservaCancelada", Samples.cancelled(booking), now))
                agenda.append(
                    Samples.event(
                        "reservas.HorarioLiberado",
                        #"{"dia":"\#(day)","em":"\#(day)T10:00:02Z","espaco":"\#(space)","reserva":"\#(booking)"}"#,
                        now
                    )
                )
            } else {
                events.append(
                    Samples.event(
                        "reservas.ReservaConcluida",
                        #"{"em":"\#(day)T\#(hour(slot + 12)):00:00Z","reserva":"\#(booking)"}"#,
                        now
                    )
                )
            }
            streams.append(StreamAppend(stream: "reserva-\(booking)", expected: .none, events: events))
        }
        streams.append(StreamAppend(stream: "agenda-\(space)-\(day)", expected: .none, events: agenda))
        return AppendRequest(commandID: .v7(microseconds: now), fingerprint: [], deadline: now + 30_000_000, streams: streams)
    }

    private static func asked(_ booking: String, _ space: String, _ user: String, _ day: String, _ slot: Int64) -> String {
        let (start, end) = (hour(slot + 11), hour(slot + 12))
        let interval = #"{"fim":"\#(day)T\#(end):00:00Z","inicio":"\#(day)T\#(start):00:00Z"}"#
        return #"{"cotacao":{"linhas":[{"dia":"\#(day)","intervalo":\#(interval),"lugares":1,"milesimos":1000,"#
            + #""multiplicador":"Normal","tipo":"tempo","valor":{"centavos":9050,"moeda":"BRL"},"valor_hora":{"centavos":9050,"moeda":"BRL"}}],"#
            + #""plano":"basic","plano_versao":1,"tarifario_versao":1,"total":{"centavos":9050,"moeda":"BRL"}},"criada_por":"\#(user)","#
            + #""em":"\#(day)T10:00:00Z","espaco":"\#(space)","expira_em":"\#(day)T10:15:00Z","horario":{"fim_local":"\#(day)T\#(hour(slot + 9)):00:00","#
            + #""fuso":"America/Sao_Paulo","inicio_local":"\#(day)T\#(hour(slot + 8)):00:00","intervalo":\#(interval),"lugares":1,"ocupacao":\#(interval)},"#
            + #""regras":{"buffer_antes_min":0,"buffer_depois_min":0,"cancelamento":[{"antecedencia_min":1440,"percentual":100}],"#
            + #""tolerancia_nao_comparecimento_min":15,"versao":2},"reserva":"\#(booking)","unidade":"01890a5d-ac96-774b-bcce-b302099a0003","#
            + #""usuario":"\#(user)"}"#
    }

    private static func id(_ kind: Int64, _ number: Int64) -> String {
        let digits = String(number, radix: 16)
        return "01890a5d-\(String(kind, radix: 16))-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private static func hour(_ hour: Int64) -> String {
        hour < 10 ? "0\(hour)" : "\(hour)"
    }

    /// The day that many days after the first of January 2000.
    private static func date(_ days: Int64) -> String {
        // Howard Hinnant's algorithm for the civil calendar, days counted from the first of March of the year 0.
        let z = days + 730_425
        let era = z / 146_097
        let dayOfEra = z - era * 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let (day, month) = (dayOfYear - (153 * shifted + 2) / 5 + 1, shifted < 10 ? shifted + 3 : shifted - 9)
        let calendarYear = year + era * 400 + (month <= 2 ? 1 : 0)
        return "\(calendarYear)-\(hour(month))-\(hour(day))"
    }
}
