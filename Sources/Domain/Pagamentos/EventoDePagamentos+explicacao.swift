extension EventoDePagamentos {
    /// - Parameter zona: of the unit, for moments that have no local time of their own.
    package func explicacao(em idioma: Idioma, zona: ZonaHoraria) -> Explicacao {
        switch self {
        case .cobrancaCriada(let evento):
            let prazo = evento.expiraEm.porExtenso(zona)
            return Explicacao(
                idioma.escolher("Cobrança de \(evento.valor).", "\(evento.valor) were charged."),
                [evento.causa.razao(idioma), idioma.escolher("Pode ser paga até \(prazo).", "It can be paid until \(prazo).")]
            )
        case .cobrancaAlterada(let evento):
            return Explicacao(
                idioma.escolher(
                    "A cobrança passou de \(evento.de) para \(evento.para).", "The charge went from \(evento.de) to \(evento.para)."
                )
            )
        case .pixGerado(let evento):
            return Explicacao(
                idioma.escolher("Um código PIX de \(evento.valor) foi gerado.", "A PIX code for \(evento.valor) was made.")
            )
        case .pagamentoAprovado(let evento): return evento.explicacao(idioma)
        case .pagamentoRecusado(let evento):
            return Explicacao(
                idioma.escolher(
                    "Um pagamento \(evento.metodo.nome(idioma)) foi recusado.", "A payment \(evento.metodo.nome(idioma)) was refused."),
                [evento.motivo.razao(idioma)]
            )
        case .tentativaRespondida(let evento):
            return Explicacao(
                idioma.escolher(
                    "Quem pagou \(evento.metodo.nome(idioma)) recebeu a resposta do provedor.",
                    "Whoever paid \(evento.metodo.nome(idioma)) got the provider's answer."
                ),
                evento.recusa.map { [$0.razao(idioma)] } ?? []
            )
        case .cobrancaExpirada(let evento): return evento.explicacao(idioma, zona)
        case .estornoSolicitado(let evento):
            return Explicacao(
                idioma.escolher("\(evento.valor) vão ser devolvidos.", "\(evento.valor) are to go back."),
                [evento.razao?.frase(idioma) ?? evento.motivo.razao(idioma)]
            )
        case .pagamentoEstornado(let evento):
            return Explicacao(idioma.escolher("\(evento.valor) foram devolvidos.", "\(evento.valor) went back."))
        case .estornoRecusado(let evento):
            return Explicacao(
                idioma.escolher("A devolução de \(evento.valor) foi recusada.", "Giving back \(evento.valor) was refused."),
                [evento.motivo.razao(idioma)]
            )
        }
    }
}

extension PagamentoAprovado {
    fileprivate func explicacao(_ idioma: Idioma) -> Explicacao {
        var razoes = [causa.razao(idioma)]
        if !quita { razoes.append(idioma.escolher("Não quita a cobrança.", "It does not settle the charge.")) }
        if tardio { razoes.append(idioma.escolher("A cobrança já estava encerrada.", "The charge had been closed by then.")) }
        return Explicacao(
            idioma.escolher("\(valor) foram pagos \(metodo.nome(idioma)).", "\(valor) were paid \(metodo.nome(idioma))."), razoes
        )
    }
}

extension CobrancaExpirada {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let frase = idioma.escolher("A cobrança foi encerrada sem pagamento.", "The charge was closed unpaid.")
        switch motivo {
        case .prazo:
            let prazo = expiraEm.porExtenso(zona)
            return Explicacao(frase, [idioma.escolher("O prazo venceu em \(prazo).", "Its time ran out at \(prazo).")])
        case .semObjeto:
            return Explicacao(
                frase,
                [idioma.escolher("Não havia mais o que pagar por ela.", "What it was for was given up, or settled in another way.")]
            )
        }
    }
}

extension CausaDaCobranca {
    fileprivate func razao(_ idioma: Idioma) -> String {
        switch self {
        case .reserva: idioma.escolher("Pelo preço da reserva.", "For the price of the booking.")
        case .diferenca(_, let remarcacao):
            idioma.escolher(
                "Pela diferença da remarcação número \(remarcacao).", "For the difference of move number \(remarcacao)."
            )
        case .excedente: idioma.escolher("Pelo tempo além do reservado.", "For the time past the end of the booking.")
        case .mensalidade: idioma.escolher("Pela mensalidade.", "For the fee of a subscription.")
        }
    }
}

extension MetodoDePagamento {
    /// With its preposition.
    fileprivate func nome(_ idioma: Idioma) -> String {
        switch self {
        case .pix: idioma.escolher("por PIX", "by PIX")
        case .cartao: idioma.escolher("com cartão", "by card")
        case .dinheiro: idioma.escolher("em dinheiro, no balcão", "in cash, at the desk")
        case .maquininha: idioma.escolher("com cartão, no balcão", "by card, at the desk")
        }
    }
}

extension MotivoDaRecusa {
    fileprivate func razao(_ idioma: Idioma) -> String {
        switch self {
        case .saldoInsuficiente: idioma.escolher("O saldo não bastava.", "There was not enough money.")
        case .cartaoRecusado: idioma.escolher("O cartão foi recusado.", "The card was refused.")
        case .cartaoVencido: idioma.escolher("O cartão estava vencido.", "The card had expired.")
        case .canceladoPeloPagador: idioma.escolher("O pagador desistiu.", "The payer gave up.")
        case .suspeitaDeFraude: idioma.escolher("O provedor suspeitou de fraude.", "The provider suspected fraud.")
        case .contaEncerrada: idioma.escolher("A conta de destino foi encerrada.", "The receiving account was closed.")
        case .outro: idioma.escolher("O provedor não disse por quê.", "The provider did not say why.")
        }
    }
}

extension MotivoDoEstorno {
    fileprivate func razao(_ idioma: Idioma) -> String {
        switch self {
        case .cancelamento:
            idioma.escolher("A reserva foi cancelada; vale a política dela.", "The booking was given up; its policy says how much.")
        case .remarcacao: idioma.escolher("A reserva passou para um horário mais barato.", "The booking was moved to a cheaper time.")
        case .expiracao:
            idioma.escolher(
                "A diferença da remarcação não foi paga; vale a política da reserva.",
                "The difference of a move was not paid; the booking's policy says how much."
            )
        case .atraso:
            idioma.escolher(
                "O que foi pago já não podia ser usado.", "There was nothing any more that the payment could be used for."
            )
        case .pagamentoIndevido:
            idioma.escolher("Já estava pago, ou o valor era outro.", "It was paid already, or the amount was another.")
        case .operador: idioma.escolher("A equipe decidiu assim.", "Staff decided so.")
        }
    }
}

extension RazaoDoAtraso {
    fileprivate func frase(_ idioma: Idioma) -> String {
        switch self {
        case .semEfeito: idioma.escolher("A reserva vale sem este pagamento.", "The booking stands without this payment.")
        case .cancelada: idioma.escolher("A reserva já tinha sido cancelada.", "The booking had been cancelled by then.")
        case .outroValor:
            idioma.escolher(
                "A reserva foi remarcada e já não esperava este valor.", "The booking was moved, and no longer waited for this amount."
            )
        case .horarioComecou: idioma.escolher("O horário reservado já tinha começado.", "The booked time had begun already.")
        case .espacoInativo: idioma.escolher("O espaço já não estava em uso.", "The space was not in use any more.")
        case .jaDevolvida:
            idioma.escolher(
                "A reserva tinha expirado, e o que foi pago antes já estava voltando.",
                "The booking had expired, and what was paid before was on its way back already."
            )
        case .semLugar: idioma.escolher("O horário já era de outra pessoa.", "Somebody else had the time by then.")
        case .semBeneficios:
            idioma.escolher(
                "O cupom ou os créditos da reserva já tinham sido usados.", "The booking's coupon or credits had been used by then."
            )
        case .assinaturaEncerrada: idioma.escolher("A assinatura já tinha terminado.", "The subscription had ended by then.")
        }
    }
}
