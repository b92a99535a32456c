/// What somebody is told of money that they owe, paid or get back.
package struct AvisoDePagamento: Hashable, Sendable {
    package enum Fato: Hashable, Sendable {
        case recebido(TransacaoID, MetodoDePagamento)
        case recusado(TransacaoID, MetodoDePagamento, MotivoDaRecusa)
        case vencido
        case estornado(TransacaoID)

        package var tipo: TipoDeAviso {
            switch self {
            case .recebido: .pagamentoRecebido
            case .recusado: .pagamentoRecusado
            case .vencido: .cobrancaVencida
            case .estornado: .estornoRealizado
            }
        }

        /// What an event means for who owes; nil where they are not told of it. Money that pays nothing goes back at once, and they
        /// hear of it when it has. A charge that holds a slot runs out with it, of which they hear.
        package init?(_ evento: EventoDePagamentos) {
            switch evento {
            case .pagamentoAprovado(let aprovado):
                guard aprovado.quita else { return nil }
                self = .recebido(aprovado.transacao, aprovado.metodo)
            case .pagamentoRecusado(let recusado): self = .recusado(recusado.transacao, recusado.metodo, recusado.motivo)
            case .cobrancaExpirada(let expirada):
                guard expirada.motivo == .prazo, !expirada.causa.seguraHorario else { return nil }
                self = .vencido
            case .pagamentoEstornado(let estornado): self = .estornado(estornado.transacao)
            case .cobrancaCriada, .cobrancaAlterada, .pixGerado, .tentativaRespondida, .estornoSolicitado, .estornoRecusado: return nil
            }
        }
    }

    package let fato: Fato
    package let causa: CausaDaCobranca
    package let valor: Dinheiro
    package let em: Instante
    /// What it is for, where that is a booking.
    package let reserva: ReservaDescrita?
    private let zona: ZonaHoraria

    /// - Parameters:
    ///   - em: When it happened.
    ///   - zona: On whose wall clock that is told.
    package init(_ fato: Fato, causa: CausaDaCobranca, valor: Dinheiro, em: Instante, reserva: ReservaDescrita?, zona: ZonaHoraria) {
        self.fato = fato
        self.causa = causa
        self.valor = valor
        self.em = em
        self.reserva = reserva
        self.zona = zona
    }

    func titulo(em idioma: Idioma) -> String {
        switch fato {
        case .recebido: idioma.escolher("Pagamento recebido: \(valor)", "Payment received: \(valor)")
        case .recusado: idioma.escolher("Pagamento recusado: \(valor)", "Payment refused: \(valor)")
        case .vencido: idioma.escolher("Cobrança vencida: \(valor)", "Charge expired: \(valor)")
        case .estornado: idioma.escolher("Pagamento devolvido: \(valor)", "Payment given back: \(valor)")
        }
    }

    func texto(em idioma: Idioma) -> String {
        let assunto = assunto(em: idioma)
        return switch fato {
        case .recebido(_, let metodo):
            idioma.escolher(
                "Recebemos \(valor) por \(metodo.nome(em: idioma)): \(assunto).",
                "We received \(valor) by \(metodo.nome(em: idioma)): \(assunto)."
            )
        case .recusado(_, let metodo, let motivo):
            idioma.escolher(
                "O pagamento de \(valor) por \(metodo.nome(em: idioma)) não foi aceito (\(motivo.frase(em: idioma))): \(assunto). "
                    + "Enquanto a cobrança estiver aberta, você pode tentar de novo.",
                "The payment of \(valor) by \(metodo.nome(em: idioma)) was not accepted (\(motivo.frase(em: idioma))): \(assunto). "
                    + "While the charge is open, you can try again."
            )
        case .vencido:
            idioma.escolher("O prazo para pagar \(valor) acabou: \(assunto).", "The time to pay \(valor) has run out: \(assunto).")
        case .estornado: idioma.escolher("Devolvemos \(valor): \(assunto).", "We gave \(valor) back: \(assunto).")
        }
    }

    private func assunto(em idioma: Idioma) -> String {
        guard let reserva else { return causa.assunto(em: idioma) }
        return "\(causa.assunto(em: idioma)), \(reserva.lugar), \(reserva.quando(em: idioma))"
    }

    func linhas(em idioma: Idioma) -> [LinhaDoAviso] {
        var linhas = [
            LinhaDoAviso(idioma.escolher("Referente a", "For"), causa.assunto(em: idioma)),
            LinhaDoAviso(idioma.escolher("Valor", "Amount"), "\(valor)"),
            LinhaDoAviso(idioma.escolher("Em", "On"), "\(zona.extenso(em, em: idioma)) (\(zona.nome))"),
        ]
        switch fato {
        case .recebido(let transacao, let metodo), .recusado(let transacao, let metodo, _):
            linhas.append(LinhaDoAviso(idioma.escolher("Forma de pagamento", "Method"), metodo.nome(em: idioma)))
            linhas.append(LinhaDoAviso(idioma.escolher("Transação", "Transaction"), transacao.texto))
        case .estornado(let transacao): linhas.append(LinhaDoAviso(idioma.escolher("Transação", "Transaction"), transacao.texto))
        case .vencido: break
        }
        return linhas + (reserva?.linhas(em: idioma) ?? [])
    }
}

extension CausaDaCobranca {
    /// What a charge is for, in words that go into a sentence.
    func assunto(em idioma: Idioma) -> String {
        switch self {
        case .reserva: idioma.escolher("reserva", "booking")
        case .diferenca: idioma.escolher("diferença de uma remarcação", "difference of a move")
        case .excedente: idioma.escolher("tempo excedente", "overtime")
        case .mensalidade: idioma.escolher("mensalidade do plano", "monthly fee of the plan")
        }
    }

    /// Whether a slot is held while it can be paid, and is free again when it cannot.
    var seguraHorario: Bool {
        switch self {
        case .reserva, .diferenca: true
        case .excedente, .mensalidade: false
        }
    }
}

extension MetodoDePagamento {
    func nome(em idioma: Idioma) -> String {
        switch self {
        case .pix: "PIX"
        case .cartao: idioma.escolher("cartão", "card")
        case .dinheiro: idioma.escolher("dinheiro", "cash")
        case .maquininha: idioma.escolher("maquininha da recepção", "the desk's card machine")
        }
    }
}

extension MotivoDaRecusa {
    func frase(em idioma: Idioma) -> String {
        switch self {
        case .saldoInsuficiente: idioma.escolher("saldo insuficiente", "not enough funds")
        case .cartaoRecusado: idioma.escolher("o cartão foi recusado", "the card was refused")
        case .cartaoVencido: idioma.escolher("o cartão está vencido", "the card has expired")
        case .canceladoPeloPagador: idioma.escolher("o pagador desistiu", "the payer gave up")
        // Whoever tries with somebody else's card learns nothing of what gave them away.
        case .suspeitaDeFraude, .outro: idioma.escolher("recusado pelo provedor", "refused by the provider")
        case .contaEncerrada: idioma.escolher("a conta está encerrada", "the account is closed")
        }
    }
}
