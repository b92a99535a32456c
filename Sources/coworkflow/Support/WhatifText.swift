import Domain
import Foundation
import HTTP

/// A comparison of tariffs as people and programs read it.
enum WhatifText {
    /// A line a space, then all together.
    static func table(_ comparison: ComparacaoDeTarifarios) throws -> String {
        let total = try comparison.total()
        var rows = [["space", "bookings", "before", "after", "difference", "%"]]
        rows += comparison.linhas.map { row($0.nome, $0.reservas, $0.antes, $0.depois) }
        rows.append(row("total", total.reservas, total.antes, total.depois))
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
        if total.semPreco > 0 {
            lines.append("\(total.semPreco) bookings are in none of the sums: the tariff has no rate for their space")
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ bookings: Int, _ before: Dinheiro, _ after: Dinheiro) -> [String] {
        let difference = after.centavos - before.centavos
        let share = before.centavos == 0 ? "" : String(format: "%+.1f", Double(difference) / Double(before.centavos) * 100)
        return [name, "\(bookings)", "\(before)", "\(after)", "\(Dinheiro(centavos: difference))", share]
    }

    private struct Sums: Encodable {
        let bookings: Int
        let beforeCents: Int64
        let afterCents: Int64
        let differenceCents: Int64
        /// Bookings for which the other tariff has no rate.
        let unpriced: Int
    }

    private struct Space: Encodable {
        let spaceId: String
        let name: String
        let bookings: Int
        let beforeCents: Int64
        let afterCents: Int64
        let differenceCents: Int64
        let unpriced: Int
    }

    private struct Report: Encodable {
        let from: String
        let to: String
        let unitId: String?
        let spaces: [Space]
        let total: Sums
    }

    static func json(_ comparison: ComparacaoDeTarifarios, from: DataCivil, to: DataCivil, unit: UnidadeID?) throws -> String {
        let total = try comparison.total()
        let report = Report(
            from: from.texto,
            to: to.texto,
            unitId: unit?.texto,
            spaces: comparison.linhas.map { line in
                Space(
                    spaceId: line.espaco.texto,
                    name: line.nome,
                    bookings: line.reservas,
                    beforeCents: line.antes.centavos,
                    afterCents: line.depois.centavos,
                    differenceCents: line.diferenca.centavos,
                    unpriced: line.semPreco
                )
            },
            total: Sums(
                bookings: total.reservas,
                beforeCents: total.antes.centavos,
                afterCents: total.depois.centavos,
                differenceCents: total.depois.centavos - total.antes.centavos,
                unpriced: total.semPreco
            )
        )
        return String(decoding: try JSON.encode(report), as: UTF8.self)
    }
}
