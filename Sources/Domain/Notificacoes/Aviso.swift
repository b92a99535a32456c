/// What somebody is told by itself: in a line, in a sentence, and as a table for a longer text.
package enum Aviso: Hashable, Sendable {
    case reserva(AvisoDeReserva)
    case pagamento(AvisoDePagamento)
    case assinatura(AvisoDeAssinatura)
    case creditos(AvisoDeCreditos)

    package var tipo: TipoDeAviso {
        switch self {
        case .reserva(let aviso): aviso.fato.tipo
        case .pagamento(let aviso): aviso.fato.tipo
        case .assinatura(let aviso): aviso.fato.tipo
        case .creditos: .creditosAExpirar
        }
    }

    package func titulo(em idioma: Idioma) -> String {
        switch self {
        case .reserva(let aviso): aviso.titulo(em: idioma)
        case .pagamento(let aviso): aviso.titulo(em: idioma)
        case .assinatura(let aviso): aviso.titulo(em: idioma)
        case .creditos(let aviso): aviso.titulo(em: idioma)
        }
    }

    package func texto(em idioma: Idioma) -> String {
        switch self {
        case .reserva(let aviso): aviso.texto(em: idioma)
        case .pagamento(let aviso): aviso.texto(em: idioma)
        case .assinatura(let aviso): aviso.texto(em: idioma)
        case .creditos(let aviso): aviso.texto(em: idioma)
        }
    }

    package func linhas(em idioma: Idioma) -> [LinhaDoAviso] {
        switch self {
        case .reserva(let aviso): aviso.linhas(em: idioma)
        case .pagamento(let aviso): aviso.linhas(em: idioma)
        case .assinatura(let aviso): aviso.linhas(em: idioma)
        case .creditos(let aviso): aviso.linhas(em: idioma)
        }
    }
}

/// A line of a table: what it is, and what it says.
package struct LinhaDoAviso: Hashable, Sendable {
    package let nome: String
    package let valor: String

    init(_ nome: String, _ valor: String) {
        self.nome = nome
        self.valor = valor
    }
}
