extension EventoDePrecos {
    /// What a booking did with a coupon or with credits, in words; `nil` for what is about no booking.
    package func explicacao(em idioma: Idioma) -> Explicacao? {
        switch self {
        case .cupomUsado(let uso):
            Explicacao(
                idioma.escolher(
                    "O cupom \(uso.codigo) foi usado: menos \(uso.desconto).",
                    "Coupon \(uso.codigo) was used: \(uso.desconto) less."
                )
            )
        case .cupomDevolvido(let devolucao):
            Explicacao(
                idioma.escolher(
                    "O cupom \(devolucao.codigo) foi devolvido: este uso não conta mais.",
                    "Coupon \(devolucao.codigo) was given back: this use counts no more."
                )
            )
        case .creditosConsumidos(let consumo):
            Explicacao(
                idioma.escolher(
                    "Créditos usados: \(consumo.lotes.total.texto(idioma)), primeiro os que expiram antes.",
                    "Credits used: \(consumo.lotes.total.texto(idioma)), first what expires first."
                )
            )
        case .creditosDevolvidos(let devolucao): devolucao.explicacao(idioma)
        case .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomDesativado, .assinaturaIniciada, .assinaturaRenovada,
            .planoTrocado, .trocaDePlanoMarcada, .trocaDePlanoDesfeita,
            .assinaturaCancelada, .creditosConcedidos:
            nil
        }
    }
}

extension CreditosDevolvidos {
    fileprivate func explicacao(_ idioma: Idioma) -> Explicacao {
        let minutos = lotes.total.texto(idioma)
        let razao =
            if let percentual {
                idioma.escolher(
                    "\(percentual.valor) % do que foi usado, em minutos inteiros, com a validade que tinham.",
                    "\(percentual.valor) % of what was used, in whole minutes, which expire when they did before."
                )
            } else {
                idioma.escolher("O novo horário precisa de menos.", "The new time needs less.")
            }
        return Explicacao(idioma.escolher("Créditos devolvidos: \(minutos).", "Credits given back: \(minutos)."), [razao])
    }
}

extension [ParcelaDeLote] {
    /// Of all the lots together.
    package var total: Minutos {
        Minutos(completosEm: .minutos(reduce(0) { $0 + $1.minutos.valor }))
    }
}
