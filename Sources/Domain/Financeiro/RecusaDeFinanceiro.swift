/// The rules of `financeiro` that say no.
package enum RecusaDeFinanceiro: Recusa {
    /// What a command may get wrong; the raw value is the field's name in the HTTP API.
    package enum Campo: String, Sendable {
        case valor = "amount_cents"
    }

    case despesaNaoEncontrada
    case despesaJaEstornada
    case campoInvalido(Campo)
    case despesaNoFuturo(hoje: DataCivil)
    /// The month is not over everywhere.
    case mesEmCurso(MesCivil)
    case mesComPendencias(MesCivil, PendenciasDoMes)
    /// The term is over for which what explains the entries of that year is kept.
    case livrosAlemDoPrazo(AnoDosLivros)
    /// Only those who work at the desk or above may.
    case soEquipe
    case soGestao
    /// It takes in units that they do not work for.
    case outraUnidade

    package var codigo: String {
        switch self {
        case .despesaNaoEncontrada: "expense_not_found"
        case .despesaJaEstornada: "expense_already_reversed"
        case .campoInvalido: "invalid_field"
        case .despesaNoFuturo: "expense_in_future"
        case .mesEmCurso: "month_not_over"
        case .mesComPendencias: "month_has_open_items"
        case .livrosAlemDoPrazo: "books_past_term"
        case .soEquipe: "staff_only"
        case .soGestao: "manager_only"
        case .outraUnidade: "other_unit"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .despesaNaoEncontrada: .naoEncontrado
        case .campoInvalido, .despesaNoFuturo, .livrosAlemDoPrazo: .regra
        case .despesaJaEstornada, .mesEmCurso, .mesComPendencias: .conflito
        case .soEquipe, .soGestao, .outraUnidade: .proibido
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .despesaNaoEncontrada: idioma.escolher("Despesa não encontrada.", "Expense not found.")
        case .despesaJaEstornada: idioma.escolher("A despesa já foi estornada.", "The expense was reversed before.")
        case .campoInvalido(let campo):
            idioma.escolher("O valor de '\(campo.rawValue)' não é aceitável.", "The value of '\(campo.rawValue)' is not acceptable.")
        case .despesaNoFuturo(let hoje):
            idioma.escolher("A despesa não pode ser depois de hoje, \(hoje).", "The expense must not be after today, \(hoje).")
        case .mesEmCurso(let mes):
            idioma.escolher(
                "O mês \(mes) ainda não terminou: pode ser fechado a partir de \(mes.fimEmTodaParte).",
                "The month \(mes) is not over: it can be closed from \(mes.fimEmTodaParte) on."
            )
        case .mesComPendencias(let mes, let pendencias):
            idioma.escolher("O mês \(mes) tem pendências: ", "The month \(mes) has open items: ") + pendencias.frase(em: idioma) + "."
        case .livrosAlemDoPrazo(let ano):
            idioma.escolher(
                "O prazo de guarda dos livros de \(ano) acabou: registre sem texto.",
                "The term for which the books of \(ano) are kept is over: record it without a text."
            )
        case .soEquipe: idioma.escolher("Só a equipe pode fazer isto.", "Only staff may do this.")
        case .soGestao: idioma.escolher("Só a gestão pode fazer isto.", "Only management may do this.")
        case .outraUnidade:
            idioma.escolher(
                "Isto não é só das unidades em que você trabalha.", "This is not only about the units that you work for."
            )
        }
    }
}
