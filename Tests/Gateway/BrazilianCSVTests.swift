import Domain
import Testing

@testable import Gateway

@Suite struct BrazilianCSVTests {
    @Test(
        arguments: [
            (1, "0,01"), (0, "0,00"), (123_456, "1234,56"), (-5, "-0,05"), (100_000_000_00, "100000000,00"),
        ] as [(Int64, String)])
    func `amounts have a decimal comma and no dots`(cents: Int64, text: String) {
        #expect(BrazilianCSV.line([.money(Dinheiro(centavos: cents))]) == text + "\r\n")
    }

    @Test func `dates are written as Brazil does`() throws {
        #expect(BrazilianCSV.line([.date(try #require(DataCivil("2026-03-01")))]) == "01/03/2026\r\n")
    }

    @Test(arguments: [
        ("simples", "simples"), ("a;b", "\"a;b\""), ("diz \"oi\"", "\"diz \"\"oi\"\"\""), ("duas\nlinhas", "\"duas\nlinhas\""),
        ("=1+1", "'=1+1"), ("+55 11", "'+55 11"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""),
        ("=a;b", "\"'=a;b\""), ("＝1", "'＝1"), ("a=1", "a=1"), ("", ""), ("Ação, já", "Ação, já"),
    ])
    func `texts cannot be formulas, and separators in them are quoted`(text: String, written: String) {
        #expect(BrazilianCSV.line([.text(text), .text(nil)]) == written + ";\r\n")
    }
}
