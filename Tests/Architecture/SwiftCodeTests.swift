import Testing

/// What the other tests rest on.
@Suite struct SwiftCodeTests {
    @Test(
        "Comments and the texts of literals are no code; what is interpolated is",
        arguments: [
            ("let a = 1 // b!", "let a = 1      "),
            ("a /* b! /* c */ d */ e", "a                    e"),
            (#"print("a! \(b!) c!")"#, #"print(     (b!)    )"#),
            (#"f("\(g("x!"))", h!)"#, #"f(  (g(    )) , h!)"#),
            (##"f(#"a \(b!) "c"!"#, d)"##, "f(                , d)"),
            ("f(\"\"\"\n a! \"b\" \\(c)\n \"\"\")", "f(   \n         (c)\n    )"),
            (#"f("\"!", g)"#, "f(     , g)"),
            (#""a//b".c"#, #"      .c"#),
        ]
    )
    func blanking(text: String, code: String) {
        #expect(SwiftCode.only(of: text) == code)
    }
}
