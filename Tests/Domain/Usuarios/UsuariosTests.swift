import Domain
import Testing

@Suite struct UsuariosTests {
    let ana: UsuarioID = id(1)
    let chefe: UsuarioID = id(2)
    let sessao: SessaoID = id(3)

    private func chave(_ algarismo: Character) throws -> ChaveDeEmail {
        try #require(ChaveDeEmail(String(repeating: algarismo, count: 64)))
    }

    private func cadastrar(_ via: CadastrarUsuario.Via = .autocadastro) throws -> CadastrarUsuario {
        CadastrarUsuario(
            usuario: ana,
            chaveDoEmail: try chave("a"),
            nome: Selado("nome"),
            email: Selado("email"),
            senha: Selado("senha"),
            via: via,
            agora: try instante("2026-03-01T12:00:00Z")
        )
    }

    private func conta(_ depois: [EventosDoFluxo] = [], via: CadastrarUsuario.Via = .autocadastro) throws -> Conta {
        let cadastro = try cadastrar(via).decidir(conta: .inicial, email: .inicial)
        return Conta.dobrar(try gravados(cadastro + depois))
    }

    private var agora: Instante { get throws { try instante("2026-03-02T12:00:00Z") } }
    private var administrador: Autoridade { .ator(Ator(usuario: chefe, papel: .admin)) }

    private func bloqueada() throws -> Conta {
        let bloqueio = BloquearUsuario(usuario: ana, por: administrador, motivo: Selado("motivo"), agora: try agora)
        return try conta(bloqueio.decidir(conta: conta()))
    }

    @Test func signingUpOpensAMembersAccountAndTakesTheAddress() throws {
        let decididos = try cadastrar().decidir(conta: .inicial, email: .inicial)

        #expect(decididos.map(\.fluxo) == [.usuario(ana), .email(try chave("a"))])
        let eventos = try gravados(decididos)
        guard case .usuarios(.usuarioCadastrado(let cadastro)) = eventos[0] else { throw Inesperado() }
        #expect(cadastro.papel == .membro && cadastro.origem == .proprio && cadastro.senha == Selado("senha"))
        #expect(EnderecoDeEmail.dobrar(eventos) == .reservado(ana))
    }

    @Test func onlyTheCommandLineOpensOtherAccounts() throws {
        let dados = try conta(via: .linhaDeComando(.admin)).exigirAtiva()
        #expect(dados.papel == .admin)
    }

    @Test func anAddressBelongsToOneAccount() throws {
        #expect(throws: RecusaDeUsuarios.emailEmUso) { try cadastrar().decidir(conta: .inicial, email: .reservado(chefe)) }
    }

    @Test func signingUpAgainWithTheSameIdChangesNothing() throws {
        #expect(try cadastrar().decidir(conta: conta(), email: .reservado(ana)) == [])
    }

    @Test func changingTheAddressFreesTheOldOne() throws {
        let novo = AtualizarPerfil.NovoEmail(chave: try chave("b"), selado: Selado("outro"))
        let comando = AtualizarPerfil(usuario: ana, nome: nil, email: novo, agora: try agora)

        let decididos = try comando.decidir(conta: conta(), novoEndereco: .livre)

        #expect(decididos.map(\.fluxo) == [.usuario(ana), .email(try chave("b")), .email(try chave("a"))])
        #expect(EnderecoDeEmail.dobrar(decididos[2].eventos) == .livre)
        let dados = try conta(decididos).exigirAtiva()
        #expect(dados.email == Selado("outro") && dados.chaveDoEmail == novo.chave && dados.nome == Selado("nome"))
        #expect(try comando.decidir(conta: conta(decididos), novoEndereco: .reservado(ana)) == [])
        #expect(throws: RecusaDeUsuarios.emailEmUso) { try comando.decidir(conta: conta(), novoEndereco: .reservado(chefe)) }
    }

    @Test func changingTheNameLeavesTheAddress() throws {
        let comando = AtualizarPerfil(usuario: ana, nome: Selado("novo"), email: nil, agora: try agora)
        let decididos = try comando.decidir(conta: conta(), novoEndereco: .livre)
        #expect(decididos.map(\.fluxo) == [.usuario(ana)])
        #expect(try conta(decididos).exigirAtiva().nome == Selado("novo"))
    }

    @Test func thePasswordChanges() throws {
        let comando = AlterarSenha(usuario: ana, senha: Selado("outra"), sessao: sessao, agora: try agora)
        let decididos = try comando.decidir(conta: conta())
        let alteracao = SenhaAlterada(usuario: ana, senha: Selado("outra"), sessao: sessao, em: try agora)
        #expect(decididos == [EventosDoFluxo(.usuario(ana), [.usuarios(.senhaAlterada(alteracao))])])
        #expect(try conta(decididos).exigirAtiva().senha == Selado("outra"))
        #expect(try comando.decidir(conta: conta(decididos)) == [])
        #expect(throws: RecusaDeUsuarios.naoEncontrado) { try comando.decidir(conta: .inicial) }
    }

    @Test(arguments: [Papel.membro, .recepcao, .gestor])
    func onlyAdministratorsPromoteAndBlock(_ papel: Papel) throws {
        let por = Autoridade.ator(Ator(usuario: chefe, papel: papel))
        let (conta, agora) = (try conta(), try agora)
        #expect(throws: RecusaDeUsuarios.soAdministrador) {
            try AlterarPapel(usuario: ana, para: .admin, por: por, agora: agora).decidir(conta: conta)
        }
        #expect(throws: RecusaDeUsuarios.soAdministrador) {
            try BloquearUsuario(usuario: ana, por: por, agora: agora).decidir(conta: conta)
        }
    }

    @Test func aBlockIsUndoneOnceAndByAdministratorsOnly() throws {
        let comando = DesbloquearUsuario(usuario: ana, por: administrador, agora: try agora)
        let decididos = try comando.decidir(conta: bloqueada())
        let desbloqueio = UsuarioDesbloqueado(usuario: ana, por: chefe, em: try agora)
        #expect(decididos == [EventosDoFluxo(.usuario(ana), [.usuarios(.usuarioDesbloqueado(desbloqueio))])])
        #expect(try bloqueada().evoluindo(com: .usuarioDesbloqueado(desbloqueio)) == conta())
        #expect(try comando.decidir(conta: conta()) == [])
        #expect(throws: RecusaDeUsuarios.naoEncontrado) { try comando.decidir(conta: .inexistente) }
        #expect(throws: RecusaDeUsuarios.naoEncontrado) { try comando.decidir(conta: .apagada) }
        #expect(Conta.apagada.evoluindo(com: .usuarioDesbloqueado(desbloqueio)) == .apagada)
        let gestor = Autoridade.ator(Ator(usuario: chefe, papel: .gestor))
        let (bloqueada, agora) = (try bloqueada(), try agora)
        #expect(throws: RecusaDeUsuarios.soAdministrador) {
            try DesbloquearUsuario(usuario: ana, por: gestor, agora: agora).decidir(conta: bloqueada)
        }
    }

    @Test(arguments: Papel.allCases)
    func nobodyActsWithARoleThatTheyNoLongerHave(_ papel: Papel) throws {
        let alegado = Ator(usuario: ana, papel: papel)
        let alteracao = PapelAlterado(usuario: ana, de: .membro, para: .recepcao, em: try agora)
        let recepcionista = try conta().evoluindo(com: .papelAlterado(alteracao))
        if papel <= .recepcao {
            #expect(throws: Never.self) { try recepcionista.exigir(alegado) }
        } else {
            #expect(throws: RecusaDeUsuarios.papelPerdido) { try recepcionista.exigir(alegado) }
        }
        let bloqueada = try bloqueada()
        #expect(throws: RecusaDeUsuarios.contaBloqueada) { try bloqueada.exigir(alegado) }
        #expect(throws: RecusaDeUsuarios.naoEncontrado) { try Conta.apagada.exigir(alegado) }
        #expect(throws: RecusaDeUsuarios.naoEncontrado) { try Conta.inexistente.exigir(alegado) }
    }

    @Test func administratorsTakeNothingFromThemselves() throws {
        let por = Autoridade.ator(Ator(usuario: ana, papel: .admin))
        let (conta, agora) = (try conta(), try agora)
        #expect(throws: RecusaDeUsuarios.contraSiMesmo) {
            try AlterarPapel(usuario: ana, para: .gestor, por: por, agora: agora).decidir(conta: conta)
        }
        #expect(throws: RecusaDeUsuarios.contraSiMesmo) {
            try BloquearUsuario(usuario: ana, por: por, agora: agora).decidir(conta: conta)
        }
    }

    @Test func aPromotionSaysFromWhatToWhatAndByWhom() throws {
        let comando = AlterarPapel(usuario: ana, para: .gestor, por: administrador, agora: try agora)
        let decididos = try comando.decidir(conta: conta())
        let alteracao = PapelAlterado(usuario: ana, de: .membro, para: .gestor, por: chefe, em: try agora)
        #expect(decididos == [EventosDoFluxo(.usuario(ana), [.usuarios(.papelAlterado(alteracao))])])
        #expect(try comando.decidir(conta: conta(decididos)) == [])
    }

    @Test func aLoginOpensASessionOnce() throws {
        let comando = RegistrarLogin(sessao: sessao, usuario: ana, ip: Selado("ip"), agora: try agora)
        let decididos = try comando.decidir(conta: conta(), sessao: .inicial)
        #expect(Sessao.dobrar(try gravados(decididos)) == .aberta(ana))
        #expect(try comando.decidir(conta: conta(), sessao: .aberta(ana)) == [])
        #expect(throws: RecusaDeUsuarios.sessaoInvalida) { try comando.decidir(conta: conta(), sessao: .aberta(chefe)) }
        #expect(throws: RecusaDeUsuarios.sessaoInvalida) { try comando.decidir(conta: conta(), sessao: .revogada(ana)) }
    }

    @Test func aBlockedAccountDoesNothing() throws {
        let (conta, agora) = (try bloqueada(), try agora)
        #expect(throws: RecusaDeUsuarios.contaBloqueada) {
            try RegistrarLogin(sessao: sessao, usuario: ana, agora: agora).decidir(conta: conta, sessao: .inicial)
        }
        #expect(throws: RecusaDeUsuarios.contaBloqueada) {
            try AlterarSenha(usuario: ana, senha: Selado("outra"), sessao: sessao, agora: agora).decidir(conta: conta)
        }
        #expect(try BloquearUsuario(usuario: ana, por: administrador, agora: agora).decidir(conta: conta) == [])
    }

    @Test(arguments: MotivoDeRevogacao.allCases)
    func aSessionIsRevokedOnceAndOnlyByItsOwner(_ motivo: MotivoDeRevogacao) throws {
        let comando = RevogarSessao(sessao: sessao, usuario: ana, motivo: motivo, agora: try agora)
        let decididos = try comando.decidir(sessao: .aberta(ana))
        #expect(Sessao.dobrar(try gravados(decididos)) == .revogada(ana))
        #expect(try comando.decidir(sessao: .revogada(ana)) == [])
        #expect(throws: RecusaDeUsuarios.sessaoInvalida) { try comando.decidir(sessao: .aberta(chefe)) }
        #expect(throws: RecusaDeUsuarios.sessaoInvalida) { try comando.decidir(sessao: .inexistente) }
    }

    @Test func aWiderRoleIncludesTheNarrower() {
        #expect(Papel.allCases.sorted() == [.membro, .recepcao, .gestor, .admin])
        #expect(Papel.allCases.map { Ator(usuario: ana, papel: $0).opera } == [false, true, true, true])
    }
}

/// An event of another type than the test waits for.
struct Inesperado: Error {}
