import Domain
import Foundation
import Testing

/// The words in which a booking's events are explained: there are some for every event of `reservas`.
@Suite struct ExplicacaoTests {
    private static let frases: [String: (pt: String, en: String)] = [
        "reservas.ReservaSolicitada": (
            """
            Reserva pedida: 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}100,00: tarifário versão 1, plano premium versão 1.
            2026-03-09: 1 h × 1 lugar × R$\u{A0}90,50/h × 1,25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-09: desconto do plano, 10 % de R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-09: teto diário de R$\u{A0}100,00 sobre R$\u{A0}101,81 = -R$\u{A0}1,81.
            Regras de reserva versão 2: preparação de 0 min antes e 15 min depois; cancelar devolve 100 % com 1 dia ou mais de \
            antecedência, 50 % com 4 h ou mais de antecedência.
            Sem confirmação, expira em 2026-03-02 09:15.
            """,
            """
            Booking requested: 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}100,00: tariff version 1, plan premium version 1.
            2026-03-09: 1 h × 1 seat × R$\u{A0}90,50/h × 1.25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-09: the plan's discount, 10 % of R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-09: daily cap of R$\u{A0}100,00 on R$\u{A0}101,81 = -R$\u{A0}1,81.
            Booking rules version 2: buffers of 0 min before and 15 min after; cancelling gives back 100 % with 1 day or more of \
            notice, 50 % with 4 h or more of notice.
            Unless confirmed, it expires at 2026-03-02 09:15.
            """
        ),
        "reservas.ReservaConfirmada": ("Reserva confirmada.\nA equipe confirmou.", "Booking confirmed.\nStaff confirmed it."),
        "reservas.ReservaExpirada": (
            "A reserva expirou.\nNão foi confirmada até 2026-03-02 09:15.",
            "The booking expired.\nIt was not confirmed by 2026-03-02 09:15."
        ),
        "reservas.ReservaRemarcada": (
            """
            Reserva remarcada de 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 lugar \
            para 2026-03-10 14:30–15:30 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}100,00: tarifário versão 1, plano premium versão 1.
            2026-03-10: 1 h × 1 lugar × R$\u{A0}90,50/h × 1,25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-10: desconto do plano, 10 % de R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-10: teto diário de R$\u{A0}100,00 sobre R$\u{A0}101,81 = -R$\u{A0}1,81.
            Diferença em relação ao preço anterior: R$\u{A0}0,00.
            Regras de reserva versão 2: preparação de 0 min antes e 15 min depois; cancelar devolve 100 % com 1 dia ou mais de \
            antecedência, 50 % com 4 h ou mais de antecedência.
            """,
            """
            Booking moved from 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 seat to 2026-03-10 14:30–15:30 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}100,00: tariff version 1, plan premium version 1.
            2026-03-10: 1 h × 1 seat × R$\u{A0}90,50/h × 1.25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-10: the plan's discount, 10 % of R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-10: daily cap of R$\u{A0}100,00 on R$\u{A0}101,81 = -R$\u{A0}1,81.
            Difference to the price before: R$\u{A0}0,00.
            Booking rules version 2: buffers of 0 min before and 15 min after; cancelling gives back 100 % with 1 day or more of \
            notice, 50 % with 4 h or more of notice.
            """
        ),
        "reservas.ReservaCancelada": (
            """
            O membro cancelou a reserva.
            Regras versão 2: 10 h de antecedência alcançam a faixa de 4 h, que devolve 50 %.
            Pago R$\u{A0}100,00, devolvido R$\u{A0}50,00.
            Uma justificativa foi registrada.
            """,
            """
            The member cancelled the booking.
            Rules version 2: 10 h of notice reach the tier of 4 h, which gives back 50 %.
            Paid R$\u{A0}100,00, given back R$\u{A0}50,00.
            A reason was recorded.
            """
        ),
        "reservas.ReservaRetomada": (
            """
            A reserva, que tinha expirado, foi retomada.
            O pagamento chegou depois do prazo, e o horário ainda estava livre.
            """,
            """
            The booking, which had expired, was taken up again.
            The payment came after its time, and the slot was still free.
            """
        ),
        "reservas.ReservaConcluida": ("O horário reservado terminou.", "The booked time is over."),
        "reservas.ReservaNaoComparecida": (
            """
            Ninguém compareceu; o horário foi liberado.
            A entrada era esperada até 2026-03-09 14:15.
            Regras versão 2: quem não comparece recebe 0 % de volta.
            Pago R$\u{A0}100,00, devolvido R$\u{A0}0,00.
            """,
            """
            Nobody came; the time was freed.
            Check-in was expected by 2026-03-09 14:15.
            Rules version 2: who does not come gets 0 % back.
            Paid R$\u{A0}100,00, given back R$\u{A0}0,00.
            """
        ),
        "reservas.HorarioOcupado": (
            "Agenda do espaço em 2026-03-09 (UTC): 1 lugar de 2026-03-09 14:30 a 2026-03-09 15:45, preparação incluída.",
            "Agenda of the space on 2026-03-09 (UTC): 1 seat from 2026-03-09 14:30 to 2026-03-09 15:45, buffers included."
        ),
        "reservas.HorarioLiberado": (
            "Agenda do espaço em 2026-03-09 (UTC): o horário foi liberado.", "Agenda of the space on 2026-03-09 (UTC): the time was freed."
        ),
        "reservas.ReservaAprovada": (
            "A reserva foi aprovada.\nSem confirmação, expira em 2026-03-02 09:30.",
            "The booking was approved.\nUnless confirmed, it expires at 2026-03-02 09:30."
        ),
        "reservas.ConvidadosDefinidos": ("Convidados da reserva: 2.", "Guests of the booking: 2."),
        "reservas.SerieCriada": (
            "Série criada: 2 reservas pela regra FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=MO.\n2026-03-23 14:30: recusada (slot_taken).",
            "Series made: 2 bookings by the rule FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=MO.\n2026-03-23 14:30: refused (slot_taken)."
        ),
        "reservas.SerieAlterada": (
            "Série alterada: 1 reserva mudou de horário.\n2026-04-06 14:30: recusada (slot_taken).",
            "Series changed: 1 booking was moved.\n2026-04-06 14:30: refused (slot_taken)."
        ),
        "reservas.SerieEncerrada": ("Série encerrada: 2 reservas canceladas.", "Series ended: 2 bookings cancelled."),
        "reservas.EsperaInscrita": (
            "Entrou na fila de espera, de 2026-03-09 14:30 a 2026-03-09 15:30.",
            "Joined the waitlist, from 2026-03-09 14:30 to 2026-03-09 15:30."
        ),
        "reservas.EsperaOferecida": (
            "O horário esperado foi oferecido.\nEra a primeira inscrição que cabia.\nA oferta vale até 2026-03-02 09:30.",
            "The time waited for was offered.\nIt was the first in line that fits.\nThe offer holds until 2026-03-02 09:30."
        ),
        "reservas.EsperaAtendida": ("A espera terminou com a reserva.", "The wait ended with the booking."),
        "reservas.EsperaVencida": (
            "A oferta expirou e passou ao próximo da fila.", "The offer ran out and went to the next in line."
        ),
        "reservas.EsperaRetirada": ("Saiu da fila de espera.", "Left the waitlist."),
    ]

    @Test func everyEventOfAContextHasWords() {
        #expect(Set(Self.frases.keys) == Set(EventoDeReservas.leitores.map(\.tipoAtual)))
    }

    @Test(arguments: try Amostra.todas().filter { $0.forma.tipo.hasPrefix("reservas.") })
    func anEventIsExplainedWithTheRulesThatDecided(_ amostra: Amostra) throws {
        let evento = try amostra.lida()
        let meu = try #require(EventoDeReservas(evento))
        let zona = try zonaDoSistema("America/Sao_Paulo")
        let esperadas = try #require(Self.frases[amostra.nome] ?? Self.variantes[amostra.nome])
        for (idioma, esperada) in [(Idioma.portugues, esperadas.pt), (.ingles, esperadas.en)] {
            let explicacao = meu.explicacao(em: idioma, zona: zona)
            #expect(([explicacao.frase] + explicacao.razoes).joined(separator: "\n") == esperada)
            for sealed in ["v1:", "anVzdGE", "bm90YXM"] {
                #expect(!esperada.contains(sealed))
            }
        }
    }

    @Test func aRefundSaysWhyItIsWhatItIs() {
        func frase(_ faixa: FaixaDeReembolso?, excepcional: Bool) -> String {
            ReservaCancelada(
                reserva: id(6),
                motivo: .operador,
                por: id(7),
                reembolso: Reembolso(
                    regrasVersao: VersaoDeRegra(3),
                    antecedencia: .trinta,
                    faixa: faixa,
                    percentual: excepcional ? .metade : .zero,
                    pago: reais(1_000),
                    valor: reais(0),
                    excepcional: excepcional
                ),
                em: Instante(segundos: 0)
            ).texto
        }
        #expect(frase(nil, excepcional: false).contains("Rules version 3: 30 min of notice reach no refund tier."))
        #expect(frase(nil, excepcional: true).contains("Staff set 50 %, against the policy of rules version 3."))
        #expect(frase(nil, excepcional: true).hasPrefix("Staff cancelled the booking."))
    }

    /// Whoever may see one booking of an append that is about several must see the others' events by no mistake.
    @Test(arguments: try Amostra.todas().filter { $0.forma.tipo.contains(/^(reservas|precos|checkin|pagamentos)\./) })
    func anEventNamesTheBookingsThatItIsAbout(_ amostra: Amostra) throws {
        func bookings(_ value: Any, under key: String = "") -> [String] {
            switch value {
            case let object as [String: Any]: object.flatMap { bookings($0.value, under: $0.key) }
            case let list as [Any]: list.flatMap { bookings($0, under: key) }
            // The second is what a charge for staying on is for.
            case let text as String: ["reserva", "canceladas", "excedente"].contains(key) ? [text] : []
            default: []
            }
        }
        let stored = bookings(try JSONSerialization.jsonObject(with: Data(amostra.carga)))
        #expect(Set(try amostra.lida().reservasCitadas.map(\.texto)) == Set(stored))
    }

    @Test(arguments: RazaoDoAtraso.allCases)
    func whyAPaymentThatCameGoesBackIsSaid(_ razao: RazaoDoAtraso) throws {
        let esperada: (pt: String, en: String) =
            switch razao {
            case .semEfeito: ("A reserva vale sem este pagamento.", "The booking stands without this payment.")
            case .cancelada: ("A reserva já tinha sido cancelada.", "The booking had been cancelled by then.")
            case .outroValor:
                (
                    "A reserva foi remarcada e já não esperava este valor.",
                    "The booking was moved, and no longer waited for this amount."
                )
            case .horarioComecou: ("O horário reservado já tinha começado.", "The booked time had begun already.")
            case .espacoInativo: ("O espaço já não estava em uso.", "The space was not in use any more.")
            case .jaDevolvida:
                (
                    "A reserva tinha expirado, e o que foi pago antes já estava voltando.",
                    "The booking had expired, and what was paid before was on its way back already."
                )
            case .semLugar: ("O horário já era de outra pessoa.", "Somebody else had the time by then.")
            case .semBeneficios:
                (
                    "O cupom ou os créditos da reserva já tinham sido usados.",
                    "The booking's coupon or credits had been used by then."
                )
            case .assinaturaEncerrada: ("A assinatura já tinha terminado.", "The subscription had ended by then.")
            }
        let pedido = EventoDePagamentos.estornoSolicitado(
            EstornoSolicitado(
                pagamento: id(1), causa: .reserva(id(6)), usuario: id(2), estorno: id(3),
                transacao: try #require(TransacaoID(id(1), tentativa: 1)), valor: reais(5_000), motivo: .atraso, razao: razao,
                em: Instante(segundos: 0)
            )
        )
        let zona = try zonaDoSistema("America/Sao_Paulo")
        for (idioma, frase, porque) in [
            (Idioma.portugues, "R$\u{A0}50,00 vão ser devolvidos.", esperada.pt), (.ingles, "R$\u{A0}50,00 are to go back.", esperada.en),
        ] {
            let explicacao = pedido.explicacao(em: idioma, zona: zona)
            #expect(explicacao.frase == frase)
            #expect(explicacao.razoes == [porque])
        }
    }

    @Test func whoAndWhatComesNextIsSaidWithoutNames() throws {
        let zona = try zonaDoSistema("America/Sao_Paulo")
        let em = try #require(Instante("2026-03-02T12:15:00Z"))
        let origens: [(OrigemDoPasso, String, String, String)] = [
            (.membro, "member", "O membro", "The member"),
            (.equipe, "staff", "A equipe", "Staff"),
            (
                .prazoDeConfirmacao(em), "timer", "O prazo de confirmação, vencido em 2026-03-02 09:15",
                "The time to confirm, which ran out at 2026-03-02 09:15"
            ),
            (
                .fimDaReserva(em), "timer", "O fim do horário reservado, em 2026-03-02 09:15",
                "The end of the booked time, at 2026-03-02 09:15"
            ),
            (
                .prazoDeComparecimento(em), "timer", "O prazo para comparecer, vencido em 2026-03-02 09:15",
                "The time to come, which ran out at 2026-03-02 09:15"
            ),
            (
                .encerramentoDaPresenca(em), "timer", "O encerramento da presença, em 2026-03-02 09:15",
                "The end of the presence, at 2026-03-02 09:15"
            ),
            (
                .prazoDaCobranca(em), "timer", "O prazo de pagamento, vencido em 2026-03-02 09:15",
                "The time to pay, which ran out at 2026-03-02 09:15"
            ),
            (
                .conferencia(em), "timer", "A conferência com o provedor de pagamentos, em 2026-03-02 09:15",
                "The payment provider, asked at 2026-03-02 09:15"
            ),
            (.provedor, "system", "O provedor de pagamentos", "The payment provider"),
            (.sistema("x.y"), "system", "O sistema (x.y)", "The system (x.y)"),
        ]
        for (origem, codigo, pt, en) in origens {
            #expect(origem.codigo == codigo)
            #expect(origem.frase(em: .portugues, zona: zona) == pt)
            #expect(origem.frase(em: .ingles, zona: zona) == en)
        }
    }
}

extension ReservaCancelada {
    fileprivate var texto: String {
        guard let zona = try? zonaDoSistema("America/Sao_Paulo") else { return "" }
        let explicacao = EventoDeReservas.reservaCancelada(self).explicacao(em: .ingles, zona: zona)
        return ([explicacao.frase] + explicacao.razoes).joined(separator: "\n")
    }
}
