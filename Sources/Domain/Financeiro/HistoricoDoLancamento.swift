/// Why there is an entry: the standard wording of a ledger, which says nothing about a person.
package enum HistoricoDoLancamento: String, Sendable, Codable, CaseIterable {
    case recebimento
    case usoDaReserva = "uso_da_reserva"
    case taxaDeCancelamento = "taxa_de_cancelamento"
    case naoComparecimento = "nao_comparecimento"
    case excedente
    case estorno
    case cobrancaDePlano = "cobranca_de_plano"
    case diaDePlano = "dia_de_plano"
    case cancelamentoDePlano = "cancelamento_de_plano"
    case despesa
    case estornoDeDespesa = "estorno_de_despesa"

    /// As it is called in the HTTP API.
    package var codigo: String {
        switch self {
        case .recebimento: "payment"
        case .usoDaReserva: "booking_used"
        case .taxaDeCancelamento: "cancellation_fee"
        case .naoComparecimento: "no_show"
        case .excedente: "overage"
        case .estorno: "refund"
        case .cobrancaDePlano: "plan_charge"
        case .diaDePlano: "plan_day"
        case .cancelamentoDePlano: "plan_charge_cancelled"
        case .despesa: "expense"
        case .estornoDeDespesa: "expense_reversal"
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .recebimento: idioma.escolher("Pagamento recebido", "Payment received")
        case .usoDaReserva: idioma.escolher("Uso da reserva", "Booking used")
        case .taxaDeCancelamento: idioma.escolher("Taxa de cancelamento", "Cancellation fee")
        case .naoComparecimento: idioma.escolher("Não comparecimento", "No-show")
        case .excedente: idioma.escolher("Tempo excedente", "Overage")
        case .estorno: idioma.escolher("Estorno ao membro", "Refund to the member")
        case .cobrancaDePlano: idioma.escolher("Mensalidade cobrada", "Monthly fee charged")
        case .diaDePlano: idioma.escolher("Dia de plano", "Day of a plan")
        case .cancelamentoDePlano: idioma.escolher("Mensalidade não paga", "Monthly fee not paid")
        case .despesa: idioma.escolher("Despesa", "Expense")
        case .estornoDeDespesa: idioma.escolher("Estorno de despesa", "Expense reversed")
        }
    }
}
