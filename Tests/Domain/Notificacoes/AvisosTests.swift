import Domain
import Testing

/// What people are told by itself: of which events, and in which words.
@Suite struct AvisosTests {
    /// By type; by name for a sample that people are told of otherwise than of its type.
    private static let avisados: [String: (TipoDeAviso, String)] = [
        "reservas.ReservaSolicitada.aprovacao": (.aprovacaoPedida, "reserva-"),
        "reservas.ReservaConfirmada": (.reservaConfirmada, "reserva-"),
        "reservas.ReservaCancelada": (.reservaCancelada, "reserva-"),
        "reservas.ReservaExpirada": (.reservaExpirada, "reserva-"),
        "reservas.ReservaRemarcada": (.reservaRemarcada, "reserva-"),
        "reservas.ReservaAprovada": (.reservaAprovada, "reserva-"),
        "reservas.ReservaNaoComparecida": (.naoComparecimento, "reserva-"),
        "reservas.EsperaOferecida": (.vagaOferecida, "espera-"),
        "checkin.ExcedenteApurado": (.excedenteApurado, "presenca-"),
        "pagamentos.PagamentoAprovado": (.pagamentoRecebido, "pagamento-"),
        "pagamentos.PagamentoRecusado": (.pagamentoRecusado, "pagamento-"),
        "pagamentos.PagamentoEstornado": (.estornoRealizado, "pagamento-"),
        "precos.AssinaturaIniciada": (.assinaturaIniciada, "assinatura-"),
        "precos.AssinaturaRenovada": (.assinaturaRenovada, "assinatura-"),
        "precos.PlanoTrocado": (.assinaturaAlterada, "assinatura-"),
        "precos.TrocaDePlanoMarcada": (.assinaturaAlterada, "assinatura-"),
        "precos.TrocaDePlanoDesfeita": (.assinaturaAlterada, "assinatura-"),
        "precos.AssinaturaCancelada": (.assinaturaEncerrada, "assinatura-"),
    ]

    @Test("Of all events that can be in the log, people are told of these, once each", arguments: try Amostra.todas())
    func causas(amostra: Amostra) throws {
        let causa = CausaDoAviso(try amostra.lida())
        let esperado = Self.avisados[amostra.nome] ?? Self.avisados[amostra.forma.tipo]
        #expect(causa?.tipo == esperado?.0)
        if let esperado { #expect(causa?.fluxo.texto.hasPrefix(esperado.1) == true, "\(causa?.fluxo.texto ?? "")") }
    }

    private func aprovado(quita: Bool) throws -> EventoDoDominio {
        let transacao = try #require(TransacaoID(id(6), tentativa: 1))
        return .pagamentos(
            .pagamentoAprovado(
                PagamentoAprovado(
                    pagamento: id(6), causa: .reserva(id(6)), usuario: id(1), unidade: id(3), transacao: transacao, metodo: .pix,
                    valor: reais(9_000), quita: quita, tardio: false, em: try instante("2026-03-02T12:00:00Z")
                )))
    }

    @Test("Money that pays nothing is told of when it went back; what holds a slot is told of when the slot is lost")
    func semAviso() throws {
        #expect(CausaDoAviso(try aprovado(quita: true))?.tipo == .pagamentoRecebido)
        #expect(CausaDoAviso(try aprovado(quita: false)) == nil)
        let agora = try instante("2026-03-02T12:00:00Z")
        for motivo in [MotivoDoEncerramento.prazo, .semObjeto] {
            let vencida = CobrancaExpirada(pagamento: id(6), causa: .reserva(id(6)), motivo: motivo, expiraEm: agora, em: agora)
            #expect(CausaDoAviso(.pagamentos(.cobrancaExpirada(vencida))) == nil)
        }
    }

    @Test("A booking that was not approved is told of as that, not as cancelled")
    func naoAprovada() throws {
        let agora = try instante("2026-03-02T12:00:00Z")
        let reembolso = Reembolso(
            regrasVersao: VersaoDeRegra(1), antecedencia: try minutos(10), percentual: try percentual(0), pago: .zero, valor: .zero,
            excepcional: false
        )
        func tipo(_ motivo: MotivoDoCancelamento) -> TipoDeAviso? {
            let cancelada = ReservaCancelada(reserva: id(7), motivo: motivo, por: id(1), reembolso: reembolso, em: agora)
            return CausaDoAviso(.reservas(.reservaCancelada(cancelada)))?.tipo
        }
        #expect(tipo(.naoAprovada) == .reservaNaoAprovada)
        for motivo in [MotivoDoCancelamento.membro, .operador, .contaApagada] { #expect(tipo(motivo) == .reservaCancelada) }
    }

    // MARK: Words

    private func pedido(aprovacaoAte: String? = nil) throws -> ReservaSolicitada {
        let horas = try intervalo("2026-03-09T17:30:00Z", "2026-03-09T18:30:00Z")
        return ReservaSolicitada(
            reserva: id(7), usuario: id(1), espaco: id(2), unidade: id(3),
            horario: HorarioDaReserva(horas, ocupacao: horas, zona: try zona("America/Sao_Paulo"), lugares: 1),
            regras: RegrasAplicadas(versao: VersaoDeRegra(1), bufferAntes: .zero, bufferDepois: .zero, cancelamento: .padrao),
            cotacao: Cotacao(
                tarifarioVersao: VersaoDeRegra(1), plano: .basic, planoVersao: VersaoDeRegra(1), linhas: [], total: reais(9_000)
            ),
            expiraEm: try aprovacaoAte.map { try instante($0) }, criadaPor: id(1), em: horas.inicio - .horas(48),
            aprovacaoAte: try aprovacaoAte.map { try instante($0) }
        )
    }

    private func reserva() throws -> ReservaDescrita {
        let dados = try #require(Reserva.dobrar([.reservas(.reservaSolicitada(try pedido()))]).dados)
        return ReservaDescrita(dados: dados, espaco: "Sala Ipê", unidade: "Paulista", endereco: "Av. Paulista, 1000")
    }

    private func avisos() throws -> [Aviso] {
        let (reserva, zona) = (try reserva(), try zona("America/Sao_Paulo"))
        let prazo = try instante("2026-03-08T15:00:00Z")
        let transacao = try #require(TransacaoID(id(7), tentativa: 2))
        let reservas: [AvisoDeReserva.Fato] = [
            .confirmada, .cancelada, .expirada, .remarcada, .aguardaAprovacao(ate: prazo), .aDecidir(ate: prazo),
            .aprovada(pagarAte: prazo), .naoAprovada,
            .oferecidaDaFila(pagarAte: prazo), .naoComparecida(reembolso: reais(4_500)), .excedida(try minutos(40), valor: reais(6_000)),
        ]
        let pagamentos: [AvisoDePagamento.Fato] = [
            .recebido(transacao, .pix), .recusado(transacao, .cartao, .saldoInsuficiente), .vencido, .estornado(transacao),
        ]
        let assinaturas: [AvisoDeAssinatura.Fato] = [
            .iniciada(mensalidade: reais(29_900), venceEm: prazo, fim: prazo), .renovada(mensalidade: .zero, venceEm: prazo, fim: prazo),
            .trocada(diferenca: reais(10_000), venceEm: prazo, fim: prazo), .trocaMarcada(valeDesde: prazo), .trocaDesfeita,
            .encerrada(.faltaDePagamento, terminaEm: prazo),
        ]
        return reservas.map { .reserva(AvisoDeReserva($0, de: reserva, zona: zona)) }
            + pagamentos.map {
                .pagamento(
                    AvisoDePagamento($0, causa: .reserva(id(7)), valor: reais(9_000), em: prazo, reserva: reserva, zona: zona)
                )
            } + assinaturas.map { .assinatura(AvisoDeAssinatura($0, plano: "Premium", zona: zona)) } + [.creditos(try creditos(zona))]
    }

    private func concessao(_ expiraEm: String?) throws -> CreditosConcedidos {
        CreditosConcedidos(
            usuario: id(1), lote: id(20), minutos: try minutos(150), expiraEm: try expiraEm.map { try instante($0) }, origem: .equipe,
            em: try instante("2026-03-01T12:00:00Z")
        )
    }

    private func creditos(_ zona: ZonaHoraria) throws -> AvisoDeCreditos {
        let carteira = Assinatura.dobrar([.precos(.creditosConcedidos(try concessao("2026-03-10T15:00:00Z")))]).carteira
        return try #require(AvisoDeCreditos(lote: id(20), de: carteira, em: try instante("2026-03-03T15:00:00Z"), zona: zona))
    }

    @Test(
        "Credits are told of a week before they expire, at once where they do not last so long, never where they do not expire",
        arguments: [
            ("2026-03-31T12:00:00Z", "2026-03-24T12:00:00Z"), ("2026-03-04T12:00:00Z", "2026-03-01T12:00:00Z"),
            ("2026-03-08T12:00:00Z", "2026-03-01T12:00:00Z"), (nil, nil),
        ] as [(String?, String?)]
    )
    func creditosAExpirar(expiraEm: String?, avisoEm: String?) throws {
        let causas = CausaDoAviso.todas(.precos(.creditosConcedidos(try concessao(expiraEm))))
        #expect(causas.map(\.tipo) == (avisoEm == nil ? [] : [.creditosAExpirar]))
        #expect(try causas.map(\.em) == (avisoEm.map { [try instante($0)] } ?? []))
        // Two lots of one day are two
        #expect(causas.allSatisfy { $0.parte == (id(20) as LoteID).texto })
    }

    @Test("Nothing is told of credits that are used up, have expired, or were ended")
    func creditosQueNaoHaMais() throws {
        let zona = try zona("America/Sao_Paulo")
        let concedido = EventoDoDominio.precos(.creditosConcedidos(try concessao("2026-03-10T15:00:00Z")))
        let usado = { (minutos: Minutos) in
            EventoDoDominio.precos(
                .creditosConsumidos(
                    CreditosConsumidos(
                        usuario: id(1), reserva: id(7), lotes: [ParcelaDeLote(lote: id(20), minutos: minutos)], em: Instante(segundos: 0))))
        }
        func aviso(_ eventos: [EventoDoDominio], _ quando: String) throws -> AvisoDeCreditos? {
            AvisoDeCreditos(lote: id(20), de: Assinatura.dobrar(eventos).carteira, em: try instante(quando), zona: zona)
        }
        #expect(try aviso([concedido, usado(try minutos(90))], "2026-03-03T15:00:00Z")?.restantes == minutos(60))
        #expect(try aviso([concedido, usado(try minutos(150))], "2026-03-03T15:00:00Z") == nil)
        #expect(try aviso([concedido], "2026-03-10T15:00:00Z") == nil)
        #expect(try aviso([], "2026-03-03T15:00:00Z") == nil)
    }

    @Test("A booking that wants approval is told to who booked and to who may approve, each once")
    func aprovacao() throws {
        var pedida = try pedido()
        #expect(CausaDoAviso.todas(.reservas(.reservaSolicitada(pedida))).isEmpty)
        pedida = try pedido(aprovacaoAte: "2026-03-08T15:00:00Z")
        let causas = CausaDoAviso.todas(.reservas(.reservaSolicitada(pedida)))
        #expect(causas.map(\.tipo) == [.aprovacaoPedida, .aprovacaoAResponder])
        #expect(causas.allSatisfy { $0.fluxo == .reserva(id(7)) && $0.em == pedida.em })
        #expect(TipoDeAviso.allCases.filter { $0.papel != nil } == [.aprovacaoAResponder])
        #expect(TipoDeAviso.aprovacaoAResponder.papel == .gestor)
    }

    @Test("A booking that nobody approved in time is told of as that, not as unpaid")
    func naoRespondida() throws {
        let zona = try zona("America/Sao_Paulo")
        let solicitada = try pedido(aprovacaoAte: "2026-03-08T15:00:00Z")
        let dados = try #require(Reserva.dobrar([.reservas(.reservaSolicitada(solicitada))]).dados)
        let descrita = ReservaDescrita(dados: dados, espaco: "Sala Ipê", unidade: "Paulista", endereco: "")
        let aviso = Aviso.reserva(AvisoDeReserva(.expirada, de: descrita, zona: zona))
        #expect(aviso.texto(em: .portugues).contains("Ninguém aprovou"))
        #expect(aviso.texto(em: .ingles).contains("Nobody approved"))
    }

    @Test("Every kind that somebody can choose channels for is told in both languages, each in words of its own")
    func todos() throws {
        let avisos = try avisos()
        #expect(Set(avisos.map(\.tipo)) == Set(TipoDeAviso.preferiveis))
        for idioma in Idioma.allCases {
            #expect(Set(avisos.map { $0.titulo(em: idioma) }).count == avisos.count)
            #expect(Set(avisos.map { $0.texto(em: idioma) }).count == avisos.count)
            for aviso in avisos {
                #expect(!aviso.linhas(em: idioma).isEmpty)
                #expect(aviso.titulo(em: idioma).count <= 200 && !aviso.titulo(em: idioma).contains("\n"))
            }
        }
        for aviso in avisos { #expect(aviso.texto(em: .portugues) != aviso.texto(em: .ingles)) }
    }

    @Test(
        "It says what is due, until when on the unit's wall clock, and what it is about",
        arguments: [
            (TipoDeAviso.vagaOferecida, "Pague R$\u{A0}90,00 até 08/03/2026, 12:00 para confirmar.", "by 8 Mar 2026, 12:00 to confirm it."),
            (.aprovacaoPedida, "até 08/03/2026, 12:00", "until 8 Mar 2026, 12:00"),
            (.aprovacaoAResponder, "espera a sua decisão, ou a de outro gestor, até 08/03/2026, 12:00", "until 8 Mar 2026, 12:00"),
            (.creditosAExpirar, "2 h 30 min de créditos que só valem para reservas feitas até 10/03/2026, 12:00.", "have 2 h 30 min"),
            (.reservaAprovada, "Pague R$\u{A0}90,00 até 08/03/2026, 12:00", "Pay R$\u{A0}90,00 by 8 Mar 2026, 12:00"),
            (.naoComparecimento, "Serão devolvidos R$\u{A0}45,00", "R$\u{A0}45,00 will be given back"),
            (.excedenteApurado, "40 minutos depois do fim. O excedente é de R$\u{A0}60,00", "40 minutes after the end"),
            (.pagamentoRecebido, "Recebemos R$\u{A0}90,00 por PIX: reserva, Sala Ipê (Paulista), 09/03/2026", "We received R$\u{A0}90,00"),
            (.pagamentoRecusado, "por cartão não foi aceito (saldo insuficiente)", "by card was not accepted (not enough funds)"),
            (.cobrancaVencida, "O prazo para pagar R$\u{A0}90,00 acabou", "The time to pay R$\u{A0}90,00 has run out"),
            (.estornoRealizado, "Devolvemos R$\u{A0}90,00", "We gave R$\u{A0}90,00 back"),
            (.assinaturaIniciada, "A mensalidade é de R$\u{A0}299,00, a pagar até 08/03/2026, 12:00.", "The fee is R$\u{A0}299,00"),
            (.assinaturaRenovada, "foi renovada e vale até 08/03/2026, 12:00. Nada há a pagar.", "Nothing is due."),
            (.assinaturaAlterada, "pelos dias que restam é de R$\u{A0}100,00, a pagar até 08/03/2026, 12:00.", "is R$\u{A0}100,00, due by"),
            (.assinaturaEncerrada, "não será renovada (a mensalidade não foi paga)", "will not be renewed (the fee was not paid)"),
        ]
    )
    func palavras(tipo: TipoDeAviso, portugues: String, ingles: String) throws {
        let aviso = try #require(try avisos().first { $0.tipo == tipo })
        #expect(aviso.texto(em: .portugues).contains(portugues), "\(aviso.texto(em: .portugues))")
        #expect(aviso.texto(em: .ingles).contains(ingles), "\(aviso.texto(em: .ingles))")
    }
}
