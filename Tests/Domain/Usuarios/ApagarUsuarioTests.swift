import Domain
import Testing

@Suite struct ApagarUsuarioTests {
    let ana: UsuarioID = id(1)
    let agora = Instante(segundos: 1_772_463_600)

    private func chave(_ algarismo: Character = "a") throws -> ChaveDeEmail {
        try #require(ChaveDeEmail(String(repeating: algarismo, count: 64)))
    }

    private func conta(_ papel: Papel = .membro, _ depois: [EventosDoFluxo] = []) throws -> Conta {
        let cadastro = try CadastrarUsuario(
            usuario: ana,
            chaveDoEmail: chave(),
            nome: Selado("nome"),
            email: Selado("email"),
            senha: Selado("senha"),
            via: .linhaDeComando(papel),
            agora: agora
        ).decidir(conta: .inicial, email: .inicial)
        return Conta.dobrar(try gravados(cadastro + depois))
    }

    private func apagar(_ conta: Conta, via: ApagarUsuario.Via = .proprioPedido, reservas: [Reserva] = []) throws -> [EventosDoFluxo] {
        try ApagarUsuario(usuario: ana, via: via, agora: agora)
            .decidir(conta: conta, endereco: .reservado(ana), reservas: reservas)
    }

    @Test func thePersonIsErasedAndTheAddressIsFree() throws {
        let decididos = try apagar(conta())

        let apagamento = UsuarioApagado(usuario: ana, por: ana, em: agora)
        let liberacao = EmailLiberado(usuario: ana, em: agora)
        #expect(
            decididos == [
                EventosDoFluxo(.usuario(ana), [.usuarios(.usuarioApagado(apagamento))]),
                EventosDoFluxo(.email(try chave()), [.usuarios(.emailLiberado(liberacao))]),
            ]
        )
        #expect(Conta.dobrar(try gravados(decididos)) == .apagada)
        let reserva = EventoDoDominio.usuarios(.emailReservado(EmailReservado(usuario: ana, em: agora)))
        #expect(EnderecoDeEmail.dobrar([reserva] + decididos[1].eventos) == .livre)
    }

    @Test func aSecondTimeChangesNothing() throws {
        let apagada = try conta(.membro, apagar(conta()))
        #expect(apagada == .apagada)
        for via in [ApagarUsuario.Via.proprioPedido, .repeticao] { #expect(try apagar(apagada, via: via) == []) }
        #expect(throws: RecusaDeUsuarios.naoEncontrado) { try apagar(.inicial) }
    }

    @Test func anErasedAccountDoesNothingAndNothingHappensToIt() throws {
        let apagada = try conta(.membro, apagar(conta()))
        let chefe = Autoridade.ator(Ator(usuario: id(2), papel: .admin))
        let comandos: [() throws -> [EventosDoFluxo]] = [
            { try RegistrarLogin(sessao: id(3), usuario: ana, agora: agora).decidir(conta: apagada, sessao: .inicial) },
            { try AlterarSenha(usuario: ana, senha: Selado("outra"), sessao: id(3), agora: agora).decidir(conta: apagada) },
            { try AtualizarPerfil(usuario: ana, nome: Selado("x"), agora: agora).decidir(conta: apagada, novoEndereco: .livre) },
            { try AlterarPapel(usuario: ana, para: .gestor, por: chefe, agora: agora).decidir(conta: apagada) },
            { try BloquearUsuario(usuario: ana, por: chefe, agora: agora).decidir(conta: apagada) },
            { try DesbloquearUsuario(usuario: ana, por: chefe, agora: agora).decidir(conta: apagada) },
        ]
        for comando in comandos { #expect(throws: RecusaDeUsuarios.naoEncontrado) { try comando() } }
        let eventos: [EventoDeUsuarios] = [
            .senhaAlterada(SenhaAlterada(usuario: ana, senha: Selado("x"), em: agora)),
            .usuarioBloqueado(UsuarioBloqueado(usuario: ana, em: agora)),
        ]
        for evento in eventos { #expect(apagada.evoluindo(com: evento) == .apagada) }
    }

    @Test func anAdministratorHandsTheirRoleOverFirst() throws {
        #expect(throws: RecusaDeUsuarios.aindaAdministra) { try apagar(conta(.admin)) }
        #expect(try apagar(conta(.gestor)).isEmpty == false)
        #expect(try apagar(conta(.admin), via: .repeticao).isEmpty == false)
    }

    @Test func aBlockedAccountMayBeErased() throws {
        let bloqueio = BloquearUsuario(usuario: ana, por: .linhaDeComando, agora: agora)
        let bloqueada = try conta(.membro, bloqueio.decidir(conta: conta()))
        #expect(try apagar(bloqueada).isEmpty == false)
    }

    @Test func anAddressThatIsNotTheirsIsLeftAlone() throws {
        let comando = ApagarUsuario(usuario: ana, via: .repeticao, agora: agora)
        let decididos = try comando.decidir(conta: conta(), endereco: .reservado(id(9)), reservas: [])
        #expect(decididos.map(\.fluxo) == [.usuario(ana)])
    }

    @Test func theRepetitionSaysThatNobodyAskedAgain() throws {
        guard case .usuarios(.usuarioApagado(let evento)) = try evento(0, apagar(conta(), via: .repeticao)) else { throw Inesperado() }
        #expect(evento.por == nil)
    }

    // MARK: Bookings

    private let reserva: ReservaID = id(10)

    /// A booking from an hour after now to two.
    private func reservado(valorHora: Int64 = 6_000) throws -> Cenario {
        var cenario = try Cenario(valorHora: valorHora)
        let horario = try #require(Intervalo(inicio: agora + .horas(1), fim: agora + .horas(2)))
        try cenario.reservar(reserva, horario, agora: agora - .horas(1))
        return cenario
    }

    @Test func openBookingsAreGivenUpFirst() throws {
        var cenario = try reservado()
        let pendente: Reserva = cenario.estado(.reserva(reserva))
        let confirmada: Reserva = try reservado(valorHora: 0).estado(.reserva(reserva))

        #expect(throws: RecusaDeUsuarios.reservasEmAberto(2)) { try apagar(conta(), reservas: [pendente, confirmada]) }
        #expect(try apagar(conta(), via: .repeticao, reservas: [pendente]).isEmpty == false)

        try cenario.cancelar(reserva, ator: cenario.ana, agora: agora)
        #expect(try apagar(conta(), reservas: [.inicial, cenario.estado(.reserva(reserva))]).isEmpty == false)
    }

    @Test func neitherOthersBookingsNorThoseThatAreOverHinder() throws {
        var cenario = try Cenario(lugares: 5)
        let antes = try #require(Intervalo(inicio: agora - .horas(2), fim: agora))
        try cenario.reservar(reserva, antes, agora: agora - .horas(3))
        try cenario.reservar(id(11), antes, ator: cenario.bia, agora: agora - .horas(3))
        let reservas = [reserva, id(11)].map { cenario.estado(.reserva($0)) as Reserva }
        #expect(try apagar(conta(), reservas: reservas).isEmpty == false)
    }

    @Test func whatWasBookedMeanwhileIsCancelledByThePolicyOfTheBooking() throws {
        var cenario = try reservado()
        let comando = CancelarPorApagamento(reserva: reserva, pago: .zero, agora: agora)

        #expect(try comando.decidir(reserva: cenario.estado(.reserva(reserva)), dono: conta()) == [])
        let decididos = try comando.decidir(reserva: cenario.estado(.reserva(reserva)), dono: .apagada)

        guard case .reservas(.reservaCancelada(let cancelamento)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(cancelamento.motivo == .contaApagada && cancelamento.por == ana && cancelamento.justificativa == nil)
        let mesmo = try cenario.cancelar(reserva, ator: cenario.ana, agora: agora)
        guard case .reservas(.reservaCancelada(let pedido)) = try evento(0, mesmo) else { throw Inesperado() }
        #expect(cancelamento.reembolso == pedido.reembolso)
        #expect(decididos.dropFirst() == mesmo.dropFirst(), "the slot is free again")
        #expect(try comando.decidir(reserva: cenario.estado(.reserva(reserva)), dono: .apagada) == [])
    }

    @Test func whatHasBegunGoesOnToItsEnd() throws {
        let cenario = try reservado()
        let comando = CancelarPorApagamento(reserva: reserva, pago: .zero, agora: agora + .horas(1))
        #expect(try comando.decidir(reserva: cenario.estado(.reserva(reserva)), dono: .apagada) == [])
    }
}
