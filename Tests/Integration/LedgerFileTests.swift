import Foundation
import Testing

extension WholeSystem.Ledger {
    /// The ledger as a file, opened by another program than ours.
    @Suite(.serialized)
    struct File {
        /// Reads the file as a spreadsheet in Brazil would, and says what it found as JSON.
        private static let reader = """
            import csv, io, json, re, sys
            raw = open(sys.argv[1], 'rb').read()
            rows = list(csv.reader(io.StringIO(raw.decode('utf-8-sig'), newline=''), delimiter=';', quotechar='"', strict=True))
            money = lambda text: int(re.fullmatch(r'(-?\\d+),(\\d\\d)', text).expand(r'\\1\\2'))
            header, lines = rows[0], [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
            number = re.compile(r'-?\\d+,\\d\\d')
            print(json.dumps({
                'mark': raw.startswith(b'\\xef\\xbb\\xbf'),
                'ends': raw.endswith(b'\\r\\n'),
                'header': header,
                'memos': sorted({line['Memo'] for line in lines if line['Memo']}),
                'debit': sum(money(line['D\u{e9}bito']) for line in lines),
                'credit': sum(money(line['Cr\u{e9}dito']) for line in lines),
                'dates': all(re.fullmatch(r'\\d\\d/\\d\\d/\\d{4}', line['Data']) for line in lines),
                'formulas': [cell for row in rows for cell in row
                             if cell[:1] in tuple('=+-@\\t\\r\\n') and cell and not number.fullmatch(cell)],
            }))
            """

        private struct Found: Decodable {
            let mark: Bool
            let ends: Bool
            let header: [String]
            let memos: [String]
            let debit: Int
            let credit: Int
            let dates: Bool
            let formulas: [String]
        }

        @Test("Python's csv module reads it: mark, separators, decimal commas, quotes, line breaks; no text is a formula")
        func spreadsheet() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit()
            let desk = try await system.receptionist().client
            let harmful = ["=HYPERLINK(\"http://x\";\"clique\")", "+55 11 99999", "-2+3", "@SUM(A1)", "\tresumo", "=1+1\ndepois"]
            let plain = ["lâmpadas; \"novas\", 3 un.", "duas\nlinhas", "R$ 1.234,56", "a=b", "água e café ☕"]
            var total = 0
            for (number, memo) in (harmful + plain).enumerated() {
                let cents = 100_001 + number
                total += cents
                try await desk.post(
                    "/financial/expenses",
                    [
                        "category": "maintenance", "date": "2026-02-09", "amount_cents": .number(Double(cents)), "unit_id": .string(unit),
                        "memo": .string(memo),
                    ]
                ).expect(201)
            }
            let file = try await desk.get("/financial/ledger.csv?unit=\(unit)", after: try await system.head()).expect(200)
            #expect(file.header("Content-Type") == "text/csv; charset=utf-8")
            let path = FileManager.default.temporaryDirectory.appending(path: "razao-\(UUID().uuidString).csv")
            try Data(file.bytes).write(to: path)
            defer { try? FileManager.default.removeItem(at: path) }

            let found = try JSONDecoder().decode(
                Found.self, from: Data(try await run("python3", ["-c", Self.reader, path.path]).utf8)
            )

            #expect(found.mark && found.ends && found.dates)
            #expect(found.header.first == "Data" && found.header.count == 14)
            #expect(Set(found.memos) == Set(harmful.map { "'" + $0 } + plain))
            #expect(found.formulas.isEmpty, "\(found.formulas)")
            // Each expense is two lines, one on each side
            #expect(found.debit == total && found.credit == total)
        }
    }
}
