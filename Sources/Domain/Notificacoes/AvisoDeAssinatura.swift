/// What somebody is told of their subscription.
package struct AvisoDeAssinatura: Hashable, Sendable {
    package enum Fato: Hashable, Sendable {
        /// For a fee, due then, until the period ends.
        case iniciada(mensalidade: Dinheiro, venceEm: Instante, fim: Instante)
        case renovada(mensalidade: Dinheiro, venceEm: Instante, fim: Instante)
        /// The plan is another now; for the rest of the period so much more, due then.
        case trocada(diferenca: Dinheiro, venceEm: Instante, fim: Instante)
        /// The plan will be another from then on.
        case trocaMarcada(valeDesde: Instante)
        /// The plan stays what it is.
        case trocaDesfeita
        /// It gives what it gave until then.
        case encerrada(MotivoDoFimDaAssinatura, terminaEm: Instante)

        package var tipo: TipoDeAviso {
            switch self {
            case .iniciada: .assinaturaIniciada
            case .renovada: .assinaturaRenovada
            case .trocada, .trocaMarcada, .trocaDesfeita: .assinaturaAlterada
            case .encerrada: .assinaturaEncerrada
            }
        }

        /// What an event means for who subscribed; nil where they are not told of it.
        package init?(_ evento: EventoDePrecos) {
            switch evento {
            case .assinaturaIniciada(let inicio):
                self = .iniciada(mensalidade: inicio.mensalidade, venceEm: inicio.venceEm, fim: inicio.periodo.fim)
            case .assinaturaRenovada(let renovacao):
                self = .renovada(mensalidade: renovacao.mensalidade, venceEm: renovacao.venceEm, fim: renovacao.periodo.fim)
            case .planoTrocado(let troca): self = .trocada(diferenca: troca.diferenca, venceEm: troca.venceEm, fim: troca.periodo.fim)
            case .trocaDePlanoMarcada(let troca): self = .trocaMarcada(valeDesde: troca.valeDesde)
            case .trocaDePlanoDesfeita: self = .trocaDesfeita
            case .assinaturaCancelada(let fim): self = .encerrada(fim.motivo, terminaEm: fim.terminaEm)
            case .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado, .creditosConcedidos,
                .creditosConsumidos, .creditosDevolvidos:
                return nil
            }
        }
    }

    package let fato: Fato
    /// The plan's name.
    package let plano: String
    private let zona: ZonaHoraria

    /// - Parameter zona: The zone whose days the subscription counts.
    package init(_ fato: Fato, plano: String, zona: ZonaHoraria) {
        self.fato = fato
        self.plano = plano
        self.zona = zona
    }

    func titulo(em idioma: Idioma) -> String {
        switch fato {
        case .iniciada: idioma.escolher("Assinatura iniciada: \(plano)", "Subscription started: \(plano)")
        case .renovada: idioma.escolher("Assinatura renovada: \(plano)", "Subscription renewed: \(plano)")
        case .trocada: idioma.escolher("Plano trocado: \(plano)", "Plan changed: \(plano)")
        case .trocaMarcada: idioma.escolher("Troca de plano marcada: \(plano)", "Change of plan to come: \(plano)")
        case .trocaDesfeita: idioma.escolher("Troca de plano desfeita: \(plano)", "Change of plan taken back: \(plano)")
        case .encerrada: idioma.escolher("Assinatura encerrada: \(plano)", "Subscription ended: \(plano)")
        }
    }

    func texto(em idioma: Idioma) -> String {
        switch fato {
        case .iniciada(let mensalidade, let venceEm, let fim):
            return idioma.escolher(
                "Sua assinatura do plano \(plano) começou e vale até \(zona.extenso(fim, em: idioma)), quando se renova.",
                "Your subscription to the plan \(plano) has begun and lasts until \(zona.extenso(fim, em: idioma)), when it renews."
            ) + pagar(mensalidade, ate: venceEm, em: idioma)
        case .renovada(let mensalidade, let venceEm, let fim):
            return idioma.escolher(
                "Sua assinatura do plano \(plano) foi renovada e vale até \(zona.extenso(fim, em: idioma)).",
                "Your subscription to the plan \(plano) was renewed and lasts until \(zona.extenso(fim, em: idioma))."
            ) + pagar(mensalidade, ate: venceEm, em: idioma)
        case .trocada(let diferenca, let venceEm, let fim):
            let ate = zona.extenso(fim, em: idioma)
            let texto = idioma.escolher(
                "Seu plano agora é \(plano), até \(ate), quando a assinatura se renova.",
                "Your plan is now \(plano), until \(ate), when the subscription renews."
            )
            guard diferenca > .zero else { return texto + idioma.escolher(" Nada há a pagar.", " Nothing is due.") }
            let prazo = zona.extenso(venceEm, em: idioma)
            return texto
                + idioma.escolher(
                    " A diferença pelos dias que restam é de \(diferenca), a pagar até \(prazo).",
                    " The difference for the days that are left is \(diferenca), due by \(prazo)."
                )
        case .trocaMarcada(let valeDesde):
            let desde = zona.extenso(valeDesde, em: idioma)
            return idioma.escolher(
                "Seu plano será \(plano) a partir de \(desde). Até lá você pode desistir da troca.",
                "Your plan will be \(plano) from \(desde) on. Until then you can take that back."
            )
        case .trocaDesfeita:
            return idioma.escolher("Seu plano continua sendo \(plano).", "Your plan stays \(plano).")
        case .encerrada(let motivo, let terminaEm):
            let fim = zona.extenso(terminaEm, em: idioma)
            return idioma.escolher(
                "Sua assinatura do plano \(plano) não será renovada (\(motivo.frase(em: idioma))) e vale até \(fim).",
                "Your subscription to the plan \(plano) will not be renewed (\(motivo.frase(em: idioma))) and lasts until \(fim)."
            )
        }
    }

    private func pagar(_ mensalidade: Dinheiro, ate prazo: Instante, em idioma: Idioma) -> String {
        guard mensalidade > .zero else { return idioma.escolher(" Nada há a pagar.", " Nothing is due.") }
        let ate = zona.extenso(prazo, em: idioma)
        return idioma.escolher(" A mensalidade é de \(mensalidade), a pagar até \(ate).", " The fee is \(mensalidade), due by \(ate).")
    }

    func linhas(em idioma: Idioma) -> [LinhaDoAviso] {
        let plano = LinhaDoAviso(idioma.escolher("Plano", "Plan"), plano)
        func ate(_ instante: Instante) -> LinhaDoAviso {
            LinhaDoAviso(idioma.escolher("Vale até", "Lasts until"), "\(zona.extenso(instante, em: idioma)) (\(zona.nome))")
        }
        switch fato {
        case .iniciada(let mensalidade, let venceEm, let fim), .renovada(let mensalidade, let venceEm, let fim):
            return [
                plano, LinhaDoAviso(idioma.escolher("Mensalidade", "Fee"), "\(mensalidade)"),
                LinhaDoAviso(idioma.escolher("Vencimento", "Due"), "\(zona.extenso(venceEm, em: idioma)) (\(zona.nome))"), ate(fim),
            ]
        case .trocada(let diferenca, let venceEm, let fim):
            return [
                plano, LinhaDoAviso(idioma.escolher("Diferença", "Difference"), "\(diferenca)"),
                LinhaDoAviso(idioma.escolher("Vencimento", "Due"), "\(zona.extenso(venceEm, em: idioma)) (\(zona.nome))"), ate(fim),
            ]
        case .trocaMarcada(let desde):
            return [plano, LinhaDoAviso(idioma.escolher("Vale desde", "Holds from"), "\(zona.extenso(desde, em: idioma)) (\(zona.nome))")]
        case .trocaDesfeita: return [plano]
        case .encerrada(_, let fim): return [plano, ate(fim)]
        }
    }
}

extension MotivoDoFimDaAssinatura {
    func frase(em idioma: Idioma) -> String {
        switch self {
        case .membro: idioma.escolher("a seu pedido", "at your request")
        case .operador: idioma.escolher("por decisão da equipe", "by decision of the staff")
        case .contaApagada: idioma.escolher("a conta foi apagada", "the account was erased")
        case .contaBloqueada: idioma.escolher("a conta está bloqueada", "the account is blocked")
        case .faltaDePagamento: idioma.escolher("a mensalidade não foi paga", "the fee was not paid")
        }
    }
}
