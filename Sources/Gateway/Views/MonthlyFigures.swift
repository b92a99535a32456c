import Domain
import Projections

/// What the accounts moved in each of some months in a row, those without a movement included.
struct MonthlyFigures: Sendable {
    struct Month: Sendable {
        let month: MesCivil
        private var balances: [ContaContabil: Dinheiro] = [:]

        init(_ month: MesCivil) {
            self.month = month
        }

        mutating func add(_ movement: AccountMovement) {
            balances[movement.account] = Dinheiro(centavos: (balances[movement.account]?.centavos ?? 0) + movement.balance.centavos)
        }

        /// On the side on which the account grows.
        subscript(account: ContaContabil) -> Dinheiro { balances[account] ?? .zero }

        var grossRevenue: Dinheiro { sum(of: .receita) }
        var refunds: Dinheiro { self[.estornos] }
        /// What was earned less what was given back of it.
        var revenue: Dinheiro { Dinheiro(centavos: grossRevenue.centavos - refunds.centavos) }
        var expenses: Dinheiro { sum(of: .despesa) }
        var result: Dinheiro { Dinheiro(centavos: revenue.centavos - expenses.centavos) }

        private func sum(of group: ContaContabil.Grupo) -> Dinheiro {
            Dinheiro(centavos: balances.reduce(0) { $0 + ($1.key.grupo == group ? $1.value.centavos : 0) })
        }
    }

    /// In order, at least one.
    let months: [Month]

    init(_ movements: [DatedMovement], from: MesCivil, to: MesCivil) {
        var months: [Month] = []
        var month = from
        while month <= to {
            months.append(Month(month))
            month = month.seguinte
        }
        for movement in movements {
            let date = movement.day
            let place = (date.ano - from.ano) * 12 + date.mes - from.mes
            if months.indices.contains(place) { months[place].add(movement.movement) }
        }
        self.months = months
    }

    subscript(month: MesCivil) -> Month { months.first { $0.month == month } ?? Month(month) }

    /// Of the calendar year of a month, up to it.
    func year(to month: MesCivil, _ figure: (Month) -> Dinheiro) -> Dinheiro {
        Dinheiro(
            centavos: months.reduce(0) { $0 + ($1.month.ano == month.ano && $1.month <= month ? figure($1).centavos : 0) }
        )
    }
}
