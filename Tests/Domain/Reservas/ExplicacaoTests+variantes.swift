extension ExplicacaoTests {
    /// The words for further samples of an event, by their names.
    static let variantes: [String: (pt: String, en: String)] = [
        "reservas.ReservaSolicitada.aprovacao": (
            """
            Reserva pedida: 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}45,82: tarifário versão 1, plano premium versão 1.
            2026-03-09: 1 h × 1 lugar × R$\u{A0}90,50/h × 1,25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-09: desconto do plano, 10 % de R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-09: 30 min pagos com créditos, de R$\u{A0}101,81 = -R$\u{A0}50,90.
            2026-03-09: cupom BEMVINDO10, 10 % sobre R$\u{A0}50,91 = -R$\u{A0}5,09.
            \(regras.pt)
            Faz parte de uma série.
            Precisa de aprovação até 2026-03-03 09:00.
            """,
            """
            Booking requested: 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}45,82: tariff version 1, plan premium version 1.
            2026-03-09: 1 h × 1 seat × R$\u{A0}90,50/h × 1.25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-09: the plan's discount, 10 % of R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-09: 30 min paid with credits, of R$\u{A0}101,81 = -R$\u{A0}50,90.
            2026-03-09: coupon BEMVINDO10, 10 % on R$\u{A0}50,91 = -R$\u{A0}5,09.
            \(regras.en)
            It is part of a series.
            It needs approval by 2026-03-03 09:00.
            """
        ),
        "reservas.ReservaSolicitada.balcao": (
            """
            Reserva pedida: 2026-03-14 17:00–19:00 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}100,00: tarifário versão 1, plano basic versão 1.
            2026-03-14: 2 h × 1 lugar × R$\u{A0}90,50/h = R$\u{A0}181,00.
            2026-03-14: teto diário de R$\u{A0}100,00 sobre R$\u{A0}181,00 = -R$\u{A0}81,00.
            \(regras.pt)
            Paga no balcão.
            Feita para um visitante sem cadastro.
            A equipe dispensou regras do espaço; a justificativa foi registrada.
            """,
            """
            Booking requested: 2026-03-14 17:00–19:00 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}100,00: tariff version 1, plan basic version 1.
            2026-03-14: 2 h × 1 seat × R$\u{A0}90,50/h = R$\u{A0}181,00.
            2026-03-14: daily cap of R$\u{A0}100,00 on R$\u{A0}181,00 = -R$\u{A0}81,00.
            \(regras.en)
            Paid at the desk.
            Made for a visitor without an account.
            Staff set rules of the space aside; the reason was recorded.
            """
        ),
        "reservas.ReservaSolicitada.espera": (
            """
            Reserva pedida: 2026-03-29 00:00–04:00 (Europe/Lisbon), 1 lugar.
            Preço R$\u{A0}100,00: tarifário versão 1, plano premium versão 1.
            2026-03-29: 3 h × 1 lugar × R$\u{A0}90,50/h = R$\u{A0}271,50.
            2026-03-29: desconto do plano, 10 % de R$\u{A0}271,50 = -R$\u{A0}27,15.
            2026-03-29: teto diário de R$\u{A0}100,00 sobre R$\u{A0}244,35 = -R$\u{A0}144,35.
            \(regras.pt)
            Foi oferecida a quem esperava pelo horário.
            Sem confirmação, expira em 2026-03-02 09:30.
            """,
            """
            Booking requested: 2026-03-29 00:00–04:00 (Europe/Lisbon), 1 seat.
            Price R$\u{A0}100,00: tariff version 1, plan premium version 1.
            2026-03-29: 3 h × 1 seat × R$\u{A0}90,50/h = R$\u{A0}271,50.
            2026-03-29: the plan's discount, 10 % of R$\u{A0}271,50 = -R$\u{A0}27,15.
            2026-03-29: daily cap of R$\u{A0}100,00 on R$\u{A0}244,35 = -R$\u{A0}144,35.
            \(regras.en)
            It was offered to who waited for this time.
            Unless confirmed, it expires at 2026-03-02 09:30.
            """
        ),
        "reservas.ReservaConfirmada.pagamento": (
            "Reserva confirmada.\nO pagamento foi recebido.", "Booking confirmed.\nThe payment was received."
        ),
        "reservas.ReservaExpirada.reembolso": (
            """
            A reserva expirou.
            Não foi confirmada até 2026-03-02 09:15.
            Regras versão 2: 11834 min de antecedência alcançam a faixa de 1 dia, que devolve 100 %.
            Uma remarcação anterior, com menos antecedência, deixou 50 % no máximo.
            Pago R$\u{A0}50,90, devolvido R$\u{A0}25,45.
            """,
            """
            The booking expired.
            It was not confirmed by 2026-03-02 09:15.
            Rules version 2: 11834 min of notice reach the tier of 1 day, which gives back 100 %.
            An earlier move at shorter notice left 50 % at most.
            Paid R$\u{A0}50,90, given back R$\u{A0}25,45.
            """
        ),
        "reservas.ReservaRemarcada.mais_cara": (
            """
            Reserva remarcada de 2026-03-02 17:00–17:30 (America/Sao_Paulo), 1 lugar \
            para 2026-03-10 14:30–15:30 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}100,00: tarifário versão 1, plano premium versão 1.
            2026-03-10: 1 h × 1 lugar × R$\u{A0}90,50/h × 1,25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-10: desconto do plano, 10 % de R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-10: teto diário de R$\u{A0}100,00 sobre R$\u{A0}101,81 = -R$\u{A0}1,81.
            Diferença em relação ao preço anterior: R$\u{A0}49,10.
            \(regras.pt)
            Falta pagar R$\u{A0}49,10 até 2026-03-02 09:15.
            """,
            """
            Booking moved from 2026-03-02 17:00–17:30 (America/Sao_Paulo), 1 seat to 2026-03-10 14:30–15:30 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}100,00: tariff version 1, plan premium version 1.
            2026-03-10: 1 h × 1 seat × R$\u{A0}90,50/h × 1.25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-10: the plan's discount, 10 % of R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-10: daily cap of R$\u{A0}100,00 on R$\u{A0}101,81 = -R$\u{A0}1,81.
            Difference to the price before: R$\u{A0}49,10.
            \(regras.en)
            There is R$\u{A0}49,10 to pay by 2026-03-02 09:15.
            """
        ),
        "reservas.ReservaRemarcada.mais_barata": (
            """
            Reserva remarcada de 2026-03-02 17:00–18:00 (America/Sao_Paulo), 1 lugar \
            para 2026-03-11 14:30–15:00 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}40,73: tarifário versão 1, plano premium versão 1.
            2026-03-11: 30 min × 1 lugar × R$\u{A0}90,50/h = R$\u{A0}45,25.
            2026-03-11: desconto do plano, 10 % de R$\u{A0}45,25 = -R$\u{A0}4,52.
            Diferença em relação ao preço anterior: -R$\u{A0}59,27.
            \(regras.pt)
            A devolver: R$\u{A0}29,64.
            Pela antecedência, a política do horário anterior retém R$\u{A0}29,63.
            """,
            """
            Booking moved from 2026-03-02 17:00–18:00 (America/Sao_Paulo), 1 seat to 2026-03-11 14:30–15:00 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}40,73: tariff version 1, plan premium version 1.
            2026-03-11: 30 min × 1 seat × R$\u{A0}90,50/h = R$\u{A0}45,25.
            2026-03-11: the plan's discount, 10 % of R$\u{A0}45,25 = -R$\u{A0}4,52.
            Difference to the price before: -R$\u{A0}59,27.
            \(regras.en)
            To be given back: R$\u{A0}29,64.
            For the notice given, the policy of the old time keeps R$\u{A0}29,63.
            """
        ),
        "reservas.ReservaRemarcada.a_aprovar": (
            """
            Reserva remarcada de 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 lugar \
            para 2026-03-02 15:00–16:00 (America/Sao_Paulo), 1 lugar.
            Preço R$\u{A0}100,00: tarifário versão 1, plano premium versão 1.
            2026-03-02: 1 h × 1 lugar × R$\u{A0}90,50/h × 1,25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-02: desconto do plano, 10 % de R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-02: teto diário de R$\u{A0}100,00 sobre R$\u{A0}101,81 = -R$\u{A0}1,81.
            Diferença em relação ao preço anterior: R$\u{A0}0,00.
            \(regras.pt)
            """,
            """
            Booking moved from 2026-03-09 14:30–15:30 (America/Sao_Paulo), 1 seat to 2026-03-02 15:00–16:00 (America/Sao_Paulo), 1 seat.
            Price R$\u{A0}100,00: tariff version 1, plan premium version 1.
            2026-03-02: 1 h × 1 seat × R$\u{A0}90,50/h × 1.25 (Horário de pico) = R$\u{A0}113,12.
            2026-03-02: the plan's discount, 10 % of R$\u{A0}113,12 = -R$\u{A0}11,31.
            2026-03-02: daily cap of R$\u{A0}100,00 on R$\u{A0}101,81 = -R$\u{A0}1,81.
            Difference to the price before: R$\u{A0}0,00.
            \(regras.en)
            """
        ),
        "reservas.SerieCriada.ate_data": (
            "Série criada: 2 reservas pela regra FREQ=MONTHLY;UNTIL=20260630;BYDAY=1MO.\n2026-05-04 14:30: recusada (slot_taken).",
            "Series made: 2 bookings by the rule FREQ=MONTHLY;UNTIL=20260630;BYDAY=1MO.\n2026-05-04 14:30: refused (slot_taken)."
        ),
        "reservas.SerieCriada.ate_local": (
            "Série criada: 4 reservas pela regra FREQ=MONTHLY;UNTIL=20260430T090000;BYMONTHDAY=15,-1.",
            "Series made: 4 bookings by the rule FREQ=MONTHLY;UNTIL=20260430T090000;BYMONTHDAY=15,-1."
        ),
        "reservas.SerieCriada.ate_instante": (
            "Série criada: 4 reservas pela regra FREQ=WEEKLY;INTERVAL=2;UNTIL=20260330T120000Z;BYDAY=TU,SU;WKST=SU.",
            "Series made: 4 bookings by the rule FREQ=WEEKLY;INTERVAL=2;UNTIL=20260330T120000Z;BYDAY=TU,SU;WKST=SU."
        ),
    ]

    /// Those of every sample.
    private static let regras = (
        pt: """
        Regras de reserva versão 2: preparação de 0 min antes e 15 min depois; cancelar devolve 100 % com 1 dia ou mais de \
        antecedência, 50 % com 4 h ou mais de antecedência.
        """,
        en: """
        Booking rules version 2: buffers of 0 min before and 15 min after; cancelling gives back 100 % with 1 day or more of \
        notice, 50 % with 4 h or more of notice.
        """
    )
}
