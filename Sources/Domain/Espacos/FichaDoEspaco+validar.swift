extension FichaDoEspaco {
    /// Refuses a description that could not be shown or booked.
    func validar() throws(RecusaDeEspacos) {
        guard nome.temConteudo(ate: 120) else { throw .campoInvalido(.nome) }
        guard (1...10_000).contains(capacidade) else { throw .campoInvalido(.capacidade) }
        guard (1...capacidade).contains(lugares) else { throw .campoInvalido(.lugares) }
        guard comodidades.count <= 50, comodidades.allSatisfy({ $0.temConteudo(ate: 60) }) else { throw .campoInvalido(.comodidades) }
        let texto = descricao.unicodeScalars
        guard texto.count <= 4_000, texto.allSatisfy(\.podeAparecerEmTexto) else { throw .campoInvalido(.descricao) }
    }
}

extension String {
    /// Something besides white space, on one line, and no more than so many Unicode scalars.
    func temConteudo(ate maximo: Int) -> Bool {
        unicodeScalars.count <= maximo && contains { !$0.isWhitespace }
            && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension Unicode.Scalar {
    /// Whether it may stand in a text of several lines: of the control characters, line breaks and tabs only.
    fileprivate var podeAparecerEmTexto: Bool {
        properties.generalCategory != .control || self == "\n" || self == "\r" || self == "\t"
    }
}
