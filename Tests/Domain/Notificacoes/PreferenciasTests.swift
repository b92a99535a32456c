import Domain
import TestSupport
import Testing

/// Where and when somebody is told things.
@Suite struct PreferenciasTests {
    private func preferencias(
        _ escolhas: [EscolhaDeCanais] = [], silencio: HorasDeSilencio? = nil, telefone: Selado? = nil, dispositivo: Selado? = nil
    ) throws -> Preferencias {
        let definidas = PreferenciasDefinidas(
            usuario: id(1), idioma: .ingles, escolhas: escolhas, silencio: silencio, telefone: telefone, dispositivo: dispositivo,
            em: try instante("2026-03-02T12:00:00Z")
        )
        return .dobrar([.notificacoes(.preferenciasDefinidas(definidas))])
    }

    @Test("Whoever has chosen nothing is told in the app and by mail; a channel without an address is left out")
    func canais() throws {
        #expect(Preferencias.inicial.canais(para: .reservaConfirmada) == [.app, .email])
        let todos = EscolhaDeCanais(tipo: .reservaExpirada, canais: Set(Canal.allCases))
        #expect(try preferencias([todos]).canais(para: .reservaExpirada) == [.app, .email])
        #expect(
            try preferencias([todos], telefone: Selado("t"), dispositivo: Selado("d")).canais(para: .reservaExpirada)
                == [.app, .email, .sms, .push]
        )
        let nenhum = EscolhaDeCanais(tipo: .reservaCancelada, canais: [])
        #expect(try preferencias([nenhum]).canais(para: .reservaCancelada).isEmpty)
        #expect(try preferencias([nenhum]).canais(para: .reservaConfirmada) == [.app, .email])
    }

    @Test("What must be told may be had by mail or in the app, not be turned off; where nothing can carry it, it lies in the app")
    func obrigatorios() throws {
        let agora = try instante("2026-03-02T12:00:00Z")
        let conta = Conta.dobrar([
            .usuarios(
                .usuarioCadastrado(
                    UsuarioCadastrado(
                        usuario: id(1), nome: Selado("n"), email: Selado("e"),
                        chaveDoEmail: try #require(ChaveDeEmail(String(repeating: "a", count: 64))), senha: Selado("s"), papel: .membro,
                        origem: .proprio, em: agora
                    )))
        ])
        func definir(_ tipo: TipoDeAviso, _ canais: Set<Canal>) throws -> Int {
            let definidas = PreferenciasDefinidas(
                usuario: id(1), idioma: .portugues, escolhas: [EscolhaDeCanais(tipo: tipo, canais: canais)], em: agora
            )
            return try DefinirPreferencias(definidas).decidir(conta: conta).count
        }
        for tipo in TipoDeAviso.preferiveis {
            #expect(try definir(tipo, [.app]) == 1)
            #expect(try definir(tipo, [.email, .sms]) == 1)
            for canais in [[], [.sms], [.sms, .push]] as [Set<Canal>] {
                if tipo.obrigatorio {
                    #expect(throws: RecusaDeNotificacoes.avisoObrigatorio) { try definir(tipo, canais) }
                } else {
                    #expect(try definir(tipo, canais) == 1)
                }
            }
        }
        let porEmail = try preferencias([EscolhaDeCanais(tipo: .pagamentoRecebido, canais: [.email])])
        #expect(porEmail.canais(para: .pagamentoRecebido) == [.email])
        #expect(porEmail.canais(para: .pagamentoRecebido, ligados: [.app]) == [.app])
        let confirmadas = try preferencias([EscolhaDeCanais(tipo: .reservaConfirmada, canais: [.email])])
        #expect(confirmadas.canais(para: .reservaConfirmada, ligados: [.app]).isEmpty)
    }

    @Test(
        "Silence lasts until its end on the person's wall clock, over midnight too",
        arguments: [
            // 22:00 to 07:00 in São Paulo is 01:00 to 10:00 UTC.
            ("22:00", "07:00", "2026-03-02T00:59:00Z", "2026-03-02T00:59:00Z"),
            ("22:00", "07:00", "2026-03-02T01:00:00Z", "2026-03-02T10:00:00Z"),
            ("22:00", "07:00", "2026-03-02T09:59:59Z", "2026-03-02T10:00:00Z"),
            ("22:00", "07:00", "2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z"),
            ("12:00", "14:00", "2026-03-02T15:30:00Z", "2026-03-02T17:00:00Z"),
            ("12:00", "14:00", "2026-03-02T17:00:00Z", "2026-03-02T17:00:00Z"),
            // Midnight did not exist on 2018-11-04: the silence ends when the clocks are set forward.
            ("22:00", "00:30", "2018-11-04T02:00:00Z", "2018-11-04T03:00:00Z"),
            // 23:00 to 24:00 of 2019-02-16 happened twice.
            ("22:00", "23:30", "2019-02-17T00:30:00Z", "2019-02-17T01:30:00Z"),
            ("22:00", "23:30", "2019-02-17T02:10:00Z", "2019-02-17T02:30:00Z"),
        ]
    )
    func silencio(de: String, ate: String, agora: String, permitido: String) throws {
        let silencio = try #require(HorasDeSilencio(de: hora(de), ate: hora(ate), fuso: "America/Sao_Paulo"))
        let zona = try zona("America/Sao_Paulo")
        #expect(try silencio.permitido(apartirDe: instante(agora), zona: zona) == instante(permitido))
        let minhas = try preferencias(silencio: silencio)
        #expect(try minhas.enviarEm(.email, agora: instante(agora), zona: zona) == instante(permitido))
        #expect(try minhas.enviarEm(.app, agora: instante(agora), zona: zona) == instante(agora))
    }

    @Test("At any moment of a year with two changes of the clocks, what is put off is put off to a moment that is not silent, within a day")
    func sempreTermina() throws {
        let zona = try zona("America/Sao_Paulo")
        var sorteio = SeededGenerator(seed: 5)
        let comeco = try instante("2018-06-01T00:00:00Z")
        for _ in 0..<5_000 {
            let agora = comeco + .minutos(Int.random(in: 0..<400 * 1_440, using: &sorteio))
            let de = try #require(HoraLocal(minutos: Int.random(in: 0..<1_440, using: &sorteio)))
            let ate = try #require(HoraLocal(minutos: Int.random(in: 0..<1_440, using: &sorteio)))
            guard let silencio = HorasDeSilencio(de: de, ate: ate, fuso: zona.nome) else { continue }
            let permitido = silencio.permitido(apartirDe: agora, zona: zona)
            #expect(permitido >= agora)
            #expect(permitido - agora <= .horas(25))
        }
    }

    @Test("There is no silence of no length")
    func vazio() throws {
        #expect(try HorasDeSilencio(de: hora("07:00"), ate: hora("07:00"), fuso: "UTC") == nil)
        #expect(try HorasDeSilencio(de: hora("07:00"), ate: hora("24:00"), fuso: "UTC") == nil)
    }

    @Test("A calendar is shared under one secret at a time, until it is withdrawn")
    func agenda() throws {
        let agora = try instante("2026-03-02T12:00:00Z")
        let chave = try #require(ChaveDeAgenda(String(repeating: "0f", count: 32)))
        let outra = try #require(ChaveDeAgenda(String(repeating: "1e", count: 32)))
        let conta = Conta.dobrar([
            .usuarios(
                .usuarioCadastrado(
                    UsuarioCadastrado(
                        usuario: id(1), nome: Selado("n"), email: Selado("e"),
                        chaveDoEmail: try #require(ChaveDeEmail(String(repeating: "a", count: 64))), senha: Selado("s"), papel: .membro,
                        origem: .proprio, em: agora
                    )))
        ])
        func compartilhar(_ chave: ChaveDeAgenda, _ preferencias: Preferencias) throws -> [EventosDoFluxo] {
            try CompartilharAgenda(usuario: id(1), chave: chave, agora: agora).decidir(conta: conta, preferencias: preferencias)
        }
        let primeira = try gravados(compartilhar(chave, .inicial))
        let compartilhada = Preferencias.dobrar(primeira)
        #expect(compartilhada.agenda == chave)
        #expect(try compartilhar(chave, compartilhada).isEmpty)
        #expect(Preferencias.dobrar(primeira + (try gravados(compartilhar(outra, compartilhada)))).agenda == outra)
        let recolhida = RecolherAgenda(usuario: id(1), agora: agora).decidir(preferencias: compartilhada)
        #expect(Preferencias.dobrar(primeira + (try gravados(recolhida))).agenda == nil)
        #expect(RecolherAgenda(usuario: id(1), agora: agora).decidir(preferencias: .inicial).isEmpty)
        #expect(throws: RecusaDeUsuarios.naoEncontrado) {
            try CompartilharAgenda(usuario: id(1), chave: chave, agora: agora).decidir(conta: .apagada, preferencias: .inicial)
        }
    }
}
