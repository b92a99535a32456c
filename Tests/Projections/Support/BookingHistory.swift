import Domain
import FoundationEssentials
import TestSupport

/// Weeks of bookings such as the deciders would allow, in units whose clocks are set in these weeks: over midnight and over the
/// change, moved, given up, run out, done; in spaces that are described and opened anew meanwhile.
struct BookingHistory {
    /// A unit is in São Paulo, where clocks are set at midnight, and one in New York, where they are set at night.
    static let zones = ["America/Sao_Paulo", "America/New_York"]

    private(set) var log = TestLog()
    private let zones: [ZonaHoraria]
    private let first: DataCivil
    private var random: SeededGenerator
    private var bookings: [Booking] = []

    private struct Booking {
        let id: ReservaID
        let space: Int
        var schedule: HorarioDaReserva
        var isOpen = true
    }

    static func zone(_ name: String) throws -> ZonaHoraria {
        try ZonaHoraria(nome: name, tzif: Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))))
    }

    /// - Parameter first: the first of three weeks.
    init(first: DataCivil, bookings count: Int, seed: UInt64) throws {
        self.first = first
        zones = try Self.zones.map(Self.zone)
        random = SeededGenerator(seed: seed)
        try makePlaces()
        for number in 1...count {
            try ask(number)
            if Int.random(in: 0..<3, using: &random) > 0 { try goOn() }
            if number.isMultiple(of: 9) { try register(number) }
            if number.isMultiple(of: 12) { try defineAnew(number) }
        }
    }

    private func moment(_ day: Int, _ minutes: Int, unit: Int) -> Instante {
        zones[unit].inicioDoDia(first.somandoDias(day)) + .minutos(minutes)
    }

    /// Some moment of the three weeks.
    private mutating func sometime() -> Instante {
        moment(Int.random(in: 0..<21, using: &random), Int.random(in: 0..<1440, using: &random), unit: 0)
    }

    // MARK: Places

    private mutating func makePlaces() throws {
        for unit in 0...1 {
            let event = UnidadeCriada(
                unidade: Samples.id(unit), nome: "U", fuso: Self.zones[unit], endereco: "", em: moment(-9, 0, unit: unit))
            try log.record(.unidade(Samples.id(unit)), .espacos(.unidadeCriada(event)))
        }
        for space in 0..<4 {
            let description = Samples.description("Sala \(space)", seats: space == 3 ? 12 : 1)
            // One of them begins later.
            let time = moment(space == 2 ? 4 : -8, 600, unit: space % 2)
            let event = EspacoCriado(espaco: Samples.id(space), unidade: Samples.id(space % 2), ficha: description, em: time)
            try log.record(.espaco(Samples.id(space)), .espacos(.espacoCriado(event)))
            try define(space, hours: try week(), at: time + .minutos(1))
        }
    }

    private mutating func define(_ space: Int, hours: HorarioSemanal, at time: Instante) throws {
        let event = HorarioDefinido(espaco: Samples.id(space), semana: hours, fechaEmFeriados: space.isMultiple(of: 2), em: time)
        try log.record(.espaco(Samples.id(space)), .espacos(.horarioDefinido(event)))
    }

    private mutating func week() throws -> HorarioSemanal {
        var days: [DiaDaSemana: [FaixaHoraria]] = [:]
        for day in DiaDaSemana.allCases where Int.random(in: 0..<6, using: &random) > 0 {
            let opens = Int.random(in: 0...20, using: &random) * 30
            let noon = opens + Int.random(in: 1...14, using: &random) * 30
            let closes = Bool.random(using: &random) ? 1440 : noon + 60
            guard let morning = range(opens, noon), let evening = range(noon + 30, closes) else { throw Samples.Impossible() }
            days[day] = [morning, evening]
        }
        guard let week = HorarioSemanal(days) else { throw Samples.Impossible() }
        return week
    }

    private func range(_ from: Int, _ to: Int) -> FaixaHoraria? {
        HoraLocal(minutos: from).flatMap { from in HoraLocal(minutos: to).flatMap { FaixaHoraria(abre: from, fecha: $0) } }
    }

    private mutating func defineAnew(_ number: Int) throws {
        let space = Int.random(in: 0..<4, using: &random)
        let id: EspacoID = Samples.id(space)
        let time = sometime()
        let event: EventoDeEspacos
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let description = Samples.description("Nova \(number)", seats: Int.random(in: 1...5, using: &random))
            event = .espacoAtualizado(EspacoAtualizado(espaco: id, ficha: description, em: time))
        case 1: return try define(space, hours: try week(), at: time)
        case 2:
            let from = first.somandoDias(Int.random(in: 0..<21, using: &random)).meiaNoite + .horas(Int.random(in: 0..<30, using: &random))
            let to = from + .horas(Int.random(in: 1..<40, using: &random))
            guard let period = PeriodoLocal(inicio: from, fim: to) else { throw Samples.Impossible() }
            let closure = Fechamento(id: Samples.id(number % 24), periodo: period, motivo: "Obra")
            event = .fechamentoDefinido(FechamentoDefinido(espaco: id, fechamento: closure, em: time))
        case 3: event = .fechamentoRemovido(FechamentoRemovido(espaco: id, fechamento: Samples.id(number % 24), em: time))
        case 4: event = .espacoDesativado(EspacoDesativado(espaco: id, em: time))
        default: event = .espacoReativado(EspacoReativado(espaco: id, em: time))
        }
        try log.record(.espaco(id), .espacos(event))
    }

    private mutating func register(_ number: Int) throws {
        guard let key = ChaveDeEmail(String(repeating: "0a", count: 16)) else { throw Samples.Impossible() }
        let event = UsuarioCadastrado(
            usuario: Samples.id(number), nome: Selado("nome:x"), email: Selado("email:x"), chaveDoEmail: key, senha: Selado("senha:x"),
            papel: .membro, origem: .proprio, em: sometime()
        )
        try log.record(.usuario(Samples.id(number)), .usuarios(.usuarioCadastrado(event)))
    }

    // MARK: Bookings

    private mutating func schedule(in space: Int) throws -> HorarioDaReserva {
        let zone = zones[space % 2]
        let begins = moment(Int.random(in: -1...21, using: &random), Int.random(in: 0..<48, using: &random) * 30, unit: space % 2)
        let minutes =
            Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 20...70, using: &random) : Int.random(in: 1...6, using: &random)
        guard let interval = Intervalo(inicio: begins, fim: begins + .minutos(minutes * 30)) else { throw Samples.Impossible() }
        let seats = space == 3 ? Int.random(in: 1...3, using: &random) : 1
        let occupied = interval.estendido(antes: .zero, depois: .quinze)
        return HorarioDaReserva(interval, ocupacao: occupied, zona: zone, lugares: seats)
    }

    private mutating func ask(_ number: Int) throws {
        let space = Int.random(in: 0..<4, using: &random)
        let schedule = try schedule(in: space)
        let asked = schedule.intervalo.inicio - .minutos(Int.random(in: 10...5000, using: &random))
        let isFree = Int.random(in: 0..<3, using: &random) == 0
        let cents = isFree ? 0 : Int64.random(in: 1...90_000, using: &random)
        let event = ReservaSolicitada(
            reserva: Samples.id(number), usuario: Samples.id(number % 17), espaco: Samples.id(space), unidade: Samples.id(space % 2),
            horario: schedule, regras: Samples.appliedRules, cotacao: Samples.quote(cents, over: schedule.intervalo),
            expiraEm: isFree ? nil : asked + .minutos(15), criadaPor: Samples.id(number % 17), em: asked
        )
        try log.record(number, .reservaSolicitada(event))
        bookings.append(Booking(id: event.reserva, space: space, schedule: schedule))
    }

    /// Something happens to bookings that are open.
    private mutating func goOn() throws {
        for _ in 0..<3 {
            guard let index = bookings.indices.filter({ bookings[$0].isOpen }).randomElement(using: &random) else { return }
            let booking = bookings[index]
            let time = booking.schedule.intervalo.inicio - .minutos(9)
            var event: EventoDeReservas
            switch Int.random(in: 0..<11, using: &random) {
            case 0, 1, 2: event = .reservaConfirmada(ReservaConfirmada(reserva: booking.id, motivo: .operador, em: time))
            case 3:
                event = .reservaExpirada(ReservaExpirada(reserva: booking.id, expiraEm: time, em: time))
                bookings[index].isOpen = false
            case 4:
                event = .reservaCancelada(
                    ReservaCancelada(reserva: booking.id, motivo: .membro, por: Samples.id(1), reembolso: Samples.refund(1), em: time)
                )
                bookings[index].isOpen = false
            case 5, 6:
                event = .reservaConcluida(ReservaConcluida(reserva: booking.id, em: booking.schedule.intervalo.fim))
                bookings[index].isOpen = false
            case 9:
                let entered = CheckinRealizado(
                    reserva: booking.id, usuario: Samples.id(1), espaco: Samples.id(booking.space), unidade: Samples.id(booking.space % 2),
                    intervalo: booking.schedule.intervalo, por: Samples.id(1), meio: .membro, encerraEm: time, em: time
                )
                try log.record(.presenca(booking.id), .checkin(.checkinRealizado(entered)))
                event = .reservaConfirmada(ReservaConfirmada(reserva: booking.id, motivo: .operador, em: time))
            case 10:
                let missed = ReservaNaoComparecida(
                    reserva: booking.id, limite: time, reembolso: Samples.refund(Int64.random(in: 0...50, using: &random)), em: time
                )
                event = .reservaNaoComparecida(missed)
                bookings[index].isOpen = false
            default:
                let schedule = try schedule(in: booking.space)
                event = .reservaRemarcada(
                    ReservaRemarcada(
                        reserva: booking.id, de: booking.schedule, para: schedule, regras: Samples.appliedRules,
                        cotacao: Samples.quote(Int64.random(in: 0...9_000, using: &random), over: schedule.intervalo), diferenca: .zero,
                        por: Samples.id(1), em: time
                    )
                )
                bookings[index].schedule = schedule
            }
            try log.record(.reserva(booking.id), .reservas(event))
        }
    }
}
