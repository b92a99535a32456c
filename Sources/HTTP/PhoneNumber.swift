/// A telephone number as it is dialled from anywhere (E.164).
package struct PhoneNumber: Sendable {
    package let text: String

    /// - Throws: 400 for what is none. Spaces, dots, hyphens and brackets do not count.
    package init(_ input: String, field: String) throws(Problem) {
        let number = input.filter { !" -().".contains($0) }
        let digits = number.dropFirst()
        guard number.first == "+", (8...15).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .invalid(field: field, "must be an international number such as +5511987654321") }
        text = number
    }
}
