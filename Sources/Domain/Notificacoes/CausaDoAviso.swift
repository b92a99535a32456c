/// An event that somebody is told of by itself.
package struct CausaDoAviso: Hashable, Sendable {
    package let tipo: TipoDeAviso
    /// The stream that the event is in.
    package let fluxo: NomeDeFluxo
    /// Which of several things in the stream it is of, where they may all be told at one time.
    package let parte: String?
    /// When it is told.
    package let em: Instante

    private init(_ tipo: TipoDeAviso, _ fluxo: NomeDeFluxo, parte: String? = nil, _ em: Instante) {
        self.tipo = tipo
        self.fluxo = fluxo
        self.parte = parte
        self.em = em
    }

    /// All that is told because of an event: to whom it happens, to who has something to do about it, and what it leads to later.
    package static func todas(_ evento: EventoDoDominio) -> [CausaDoAviso] {
        [CausaDoAviso(evento), daEquipe(evento), deDepois(evento)].compactMap(\.self)
    }

    /// What somebody of the staff has to do about it.
    private static func daEquipe(_ evento: EventoDoDominio) -> CausaDoAviso? {
        guard case .reservas(.reservaSolicitada(let pedida)) = evento, pedida.aprovacaoAte != nil else { return nil }
        return CausaDoAviso(.aprovacaoAResponder, .reserva(pedida.reserva), pedida.em)
    }

    private static func deDepois(_ evento: EventoDoDominio) -> CausaDoAviso? {
        guard case .precos(.creditosConcedidos(let concessao)) = evento, let quando = AvisoDeCreditos.quando(concessao) else { return nil }
        return CausaDoAviso(.creditosAExpirar, .assinatura(concessao.usuario), parte: concessao.lote.texto, quando)
    }

    /// What is told at once to whom it happens; nil for an event that they are not told of.
    package init?(_ evento: EventoDoDominio) {
        switch evento {
        case .reservas(let evento): self.init(evento)
        case .pagamentos(let evento): self.init(evento)
        case .checkin(let evento): self.init(evento)
        case .precos(let evento): self.init(evento)
        case .usuarios, .espacos, .notificacoes, .analytics, .financeiro: return nil
        }
    }

    private init?(_ evento: EventoDeReservas) {
        guard let tipo = AvisoDeReserva.Fato(evento)?.tipo else { return nil }
        switch evento {
        case .reservaSolicitada(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .reservaConfirmada(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .reservaCancelada(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .reservaExpirada(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .reservaRemarcada(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .reservaAprovada(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .reservaNaoComparecida(let evento): self.init(tipo, .reserva(evento.reserva), evento.em)
        case .esperaOferecida(let evento): self.init(tipo, .espera(evento.espaco, evento.dia), evento.em)
        case .reservaConcluida, .reservaRetomada, .convidadosDefinidos, .horarioOcupado, .horarioLiberado, .serieCriada, .serieAlterada,
            .serieEncerrada, .esperaInscrita, .esperaAtendida, .esperaVencida, .esperaRetirada:
            return nil
        }
    }

    private init?(_ evento: EventoDePagamentos) {
        guard let tipo = AvisoDePagamento.Fato(evento)?.tipo else { return nil }
        switch evento {
        case .pagamentoAprovado(let evento): self.init(tipo, .pagamento(evento.pagamento), evento.em)
        case .pagamentoRecusado(let evento): self.init(tipo, .pagamento(evento.pagamento), evento.em)
        case .cobrancaExpirada(let evento): self.init(tipo, .pagamento(evento.pagamento), evento.em)
        case .pagamentoEstornado(let evento): self.init(tipo, .pagamento(evento.pagamento), evento.em)
        case .cobrancaCriada, .cobrancaAlterada, .pixGerado, .tentativaRespondida, .estornoSolicitado, .estornoRecusado: return nil
        }
    }

    private init?(_ evento: EventoDeCheckin) {
        guard let tipo = AvisoDeReserva.Fato(evento)?.tipo else { return nil }
        switch evento {
        case .excedenteApurado(let evento): self.init(tipo, .presenca(evento.reserva), evento.em)
        case .checkinRealizado, .checkoutRealizado, .naoComparecimentoRegistrado, .painelAutorizado, .painelRevogado: return nil
        }
    }

    private init?(_ evento: EventoDePrecos) {
        guard let tipo = AvisoDeAssinatura.Fato(evento)?.tipo else { return nil }
        switch evento {
        case .assinaturaIniciada(let evento): self.init(tipo, .assinatura(evento.usuario), evento.em)
        case .assinaturaRenovada(let evento): self.init(tipo, .assinatura(evento.usuario), evento.em)
        case .planoTrocado(let evento): self.init(tipo, .assinatura(evento.usuario), evento.em)
        case .trocaDePlanoMarcada(let evento): self.init(tipo, .assinatura(evento.usuario), parte: "marcada", evento.em)
        case .trocaDePlanoDesfeita(let evento): self.init(tipo, .assinatura(evento.usuario), parte: "desfeita", evento.em)
        case .assinaturaCancelada(let evento): self.init(tipo, .assinatura(evento.usuario), evento.em)
        case .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado, .creditosConcedidos,
            .creditosConsumidos, .creditosDevolvidos:
            return nil
        }
    }
}
