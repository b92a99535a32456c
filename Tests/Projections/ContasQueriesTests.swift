import Domain
import EventStore
import Testing

@testable import Projections

@Suite("Accounts, sessions, audit trail")
struct ContasQueriesTests {
    @Test("An account shows its latest name, address, role and whether it is blocked")
    func user() async throws {
        // Given
        var log = TestLog()
        let ana: UsuarioID = Samples.id(1)
        let renaming = PerfilAtualizado(usuario: ana, nome: PlainOpener.seal("Ana Luz", field: "nome"), em: Samples.time(1))
        try log.signUp(1, name: "Ana", email: "ana@exemplo.com", at: 0)
        try log.record(
            .usuario(ana),
            .usuarios(.perfilAtualizado(renaming)),
            .usuarios(.papelAlterado(PapelAlterado(usuario: ana, de: .membro, para: .gestor, em: Samples.time(2)))),
            .usuarios(.usuarioBloqueado(UsuarioBloqueado(usuario: ana, em: Samples.time(3))))
        )
        try await ReadSide.after(log) { read in
            // When
            let user = try #require(try await read.contas.user(ana))
            // Then
            #expect((user.name, user.email, user.role, user.blocked) == ("Ana Luz", "ana@exemplo.com", .gestor, true))
            #expect((user.createdAt, user.updatedAt) == (Samples.time(0), Samples.time(3)))
            #expect(try await read.contas.user(Samples.id(2)) == nil)
        }
    }

    @Test("An account shows the units that its role is for, until it is for all of them")
    func units() async throws {
        var log = TestLog()
        let (ana, bia): (UsuarioID, UsuarioID) = (Samples.id(1), Samples.id(2))
        let units: [UnidadeID] = [Samples.id(1), Samples.id(2)]
        for number in 1...2 { try log.signUp(number, name: "P\(number)", email: "p\(number)@exemplo.com", at: 0) }
        let limited = PapelAlterado(usuario: ana, de: .membro, para: .recepcao, unidades: units, em: Samples.time(1))
        try log.record(.usuario(ana), .usuarios(.papelAlterado(limited)))
        for (role, units) in [(Papel.recepcao, units), (.gestor, nil)] as [(Papel, [UnidadeID]?)] {
            let change = PapelAlterado(usuario: bia, de: .membro, para: role, unidades: units, em: Samples.time(2))
            try log.record(.usuario(bia), .usuarios(.papelAlterado(change)))
        }
        try await ReadSide.after(log) { read in
            #expect(try await read.contas.user(ana)?.units == Set(units))
            #expect(try await read.contas.user(bia)?.units == nil)
            let trail = try await read.contas.audit(AuditFilter(subject: NomeDeFluxo.usuario(ana).texto), limit: 1).items
            #expect(trail.first?.detail["units"] == units.map(\.texto).joined(separator: ","))
        }
    }

    @Test("The list is newest first, in pages that neither repeat nor leave out, also where times are equal")
    func list() async throws {
        var log = TestLog()
        for number in 1...7 { try log.signUp(number, name: "Pessoa \(number)", email: "p\(number)@exemplo.com", at: number / 3) }
        try await ReadSide.after(log) { read in
            let found = try await pages { try await read.contas.users(limit: 3, after: $0) }
            #expect(found.map(\.count) == [3, 3, 1])
            #expect(found.joined().map(\.name) == (1...7).reversed().map { "Pessoa \($0)" })
            let whole = try await read.contas.users(limit: 7)
            #expect(whole.items.count == 7)
            #expect(whole.next == nil)
        }
    }

    @Test(
        "Accounts are found by how address or name begin, by role, by being blocked",
        arguments: [
            (UserFilter(search: "ANA"), [3, 1]),
            (UserFilter(search: "ana@"), [1]),
            (UserFilter(search: "bia s"), [2]),
            (UserFilter(search: "a%"), []),
            (UserFilter(search: ""), [3, 2, 1]),
            (UserFilter(role: .admin), [2]),
            (UserFilter(blocked: true), [3]),
            (UserFilter(role: .membro, blocked: false, search: "an"), [1]),
        ] as [(UserFilter, [Int])]
    )
    func search(filter: UserFilter, found: [Int]) async throws {
        var log = TestLog()
        try log.signUp(1, name: "Zé", email: "ana@exemplo.com", at: 1)
        try log.signUp(2, name: "Bia Silva", email: "bia@exemplo.com", role: .admin, at: 2)
        try log.signUp(3, name: "Anabela", email: "c@exemplo.com", at: 3)
        try log.record(.usuario(Samples.id(3)), .usuarios(.usuarioBloqueado(UsuarioBloqueado(usuario: Samples.id(3), em: Samples.time(4)))))
        try await ReadSide.after(log) { read in
            let ids = try await read.contas.users(filter, limit: 10).items.map(\.id)
            #expect(ids == found.map { Samples.id($0) })
        }
    }

    @Test("A session is open until it is revoked")
    func sessions() async throws {
        var log = TestLog()
        let (open, revoked): (SessaoID, SessaoID) = (Samples.id(1), Samples.id(2))
        for session in [open, revoked] {
            let login = LoginRealizado(sessao: session, usuario: Samples.id(9), em: Samples.time(1))
            try log.record(.sessao(session), .usuarios(.loginRealizado(login)))
        }
        let revocation = SessaoRevogada(sessao: revoked, usuario: Samples.id(9), motivo: .reusoDeToken, em: Samples.time(2))
        try log.record(.sessao(revoked), .usuarios(.sessaoRevogada(revocation)))
        try await ReadSide.after(log) { read in
            let stands = try #require(try await read.contas.session(open))
            #expect(stands.user == Samples.id(9))
            #expect(stands.revokedAt == nil)
            let ended = try #require(try await read.contas.session(revoked))
            #expect((ended.revokedAt, ended.reason) == (Samples.time(2), .reusoDeToken))
        }
    }

    @Test("Another password ends the sessions of the account that stand, but not the one it was changed in", arguments: [2, nil] as [Int?])
    func passwordChange(changedIn: Int?) async throws {
        // Given three sessions of one person, the first of which ended before, and one of another person
        var log = TestLog()
        for (session, user) in [(1, 9), (2, 9), (3, 9), (4, 8)] {
            let login = LoginRealizado(sessao: Samples.id(session), usuario: Samples.id(user), em: Samples.time(1))
            try log.record(.sessao(Samples.id(session)), .usuarios(.loginRealizado(login)))
        }
        let exit = SessaoRevogada(sessao: Samples.id(1), usuario: Samples.id(9), motivo: .saida, em: Samples.time(2))
        try log.record(.sessao(Samples.id(1)), .usuarios(.sessaoRevogada(exit)))
        // When
        let password = SenhaAlterada(
            usuario: Samples.id(9),
            senha: PlainOpener.seal("outra", field: "senha"),
            sessao: changedIn.map { Samples.id($0) },
            em: Samples.time(3)
        )
        try log.record(.usuario(Samples.id(9)), .usuarios(.senhaAlterada(password)))
        let later = LoginRealizado(sessao: Samples.id(5), usuario: Samples.id(9), em: Samples.time(4))
        try log.record(.sessao(Samples.id(5)), .usuarios(.loginRealizado(later)))
        // Then
        try await ReadSide.after(log) { read in
            var sessions: [SessionRecord] = []
            for number in 1...5 { sessions.append(try #require(try await read.contas.session(Samples.id(number)))) }
            #expect(sessions.map(\.reason) == [.saida, changedIn == 2 ? nil : .trocaDeSenha, .trocaDeSenha, nil, nil])
            #expect(sessions[2].revokedAt == Samples.time(3))
        }
    }

    @Test("A block that was undone is none")
    func unblocked() async throws {
        var log = TestLog()
        let ana: UsuarioID = Samples.id(1)
        try log.signUp(1, name: "Ana", email: "ana@exemplo.com", at: 0)
        try log.record(
            .usuario(ana),
            .usuarios(.usuarioBloqueado(UsuarioBloqueado(usuario: ana, em: Samples.time(1)))),
            .usuarios(.usuarioDesbloqueado(UsuarioDesbloqueado(usuario: ana, em: Samples.time(2))))
        )
        try await ReadSide.after(log) { read in
            let user = try #require(try await read.contas.user(ana))
            #expect(!user.blocked)
        }
    }

    @Test("The audit trail says who did what to what, without anybody's data, and nothing twice")
    func audit() async throws {
        // Given
        var log = TestLog()
        try log.signUp(1, name: "Ana", email: "ana@exemplo.com")
        let promotion = PapelAlterado(usuario: Samples.id(1), de: .membro, para: .admin, em: Samples.time(1))
        try log.record(.usuario(Samples.id(1)), .usuarios(.papelAlterado(promotion)), by: "chefe")
        try log.book(5, try Samples.interval(60, 120), notes: "segredo")
        try await ReadSide.after(log) { read in
            // When
            let trail = try await read.contas.audit(limit: 10).items
            // Then the booking's agenda day is no entry of its own
            #expect(trail.map(\.action) == ["reservas.ReservaSolicitada", "usuarios.PapelAlterado", "usuarios.UsuarioCadastrado"])
            #expect(trail[1].actor == "chefe")
            #expect(trail[1].subject == NomeDeFluxo.usuario(Samples.id(1)).texto)
            #expect(trail[1].detail == ["from": "membro", "to": "admin"])
            #expect(trail[1].position == Position(2))
            #expect(trail[0].detail["total_cents"] == "10000")
            for entry in trail {
                #expect(!entry.detail.values.contains { $0.contains("segredo") || $0.contains("Ana") || $0.contains("ana@") })
            }
            // And it is found by each of its sides, page by page
            let at = trail[1].at
            let filters = [
                AuditFilter(actor: "chefe"), AuditFilter(action: "usuarios.PapelAlterado"),
                AuditFilter(subject: trail[1].subject, from: at), AuditFilter(from: at, to: trail[0].at),
            ]
            for filter in filters { #expect(try await read.contas.audit(filter, limit: 10).items == [trail[1]]) }
            #expect(try await pages { try await read.contas.audit(limit: 2, after: $0) }.map(\.count) == [2, 1])
        }
    }

    @Test("A cursor of another list is refused, and a text that is none is no cursor")
    func cursors() async throws {
        let ofSpaces = Cursor(key: "Sala", id: (Samples.id(1) as EspacoID).texto)
        try await ReadSide.after(TestLog()) { read in
            await #expect(throws: InvalidCursor.self) { try await read.contas.users(limit: 1, after: ofSpaces) }
            await #expect(throws: InvalidCursor.self) { try await read.contas.audit(limit: 1, after: ofSpaces) }
            await #expect(throws: InvalidCursor.self) { try await read.reservas.bookings(limit: 1, after: ofSpaces) }
            await #expect(throws: InvalidCursor.self) {
                try await read.catalogo.spaces(limit: 1, after: Cursor(key: "12", id: ""))
            }
        }
        #expect(Cursor("não") == nil)
        #expect(Cursor("AAAA") == nil)
        for key in ["", "a\nb", "çã?>~ü"] {
            let cursor = Cursor(key: key, id: "x")
            #expect(Cursor(cursor.text) == cursor)
            #expect(cursor.text.utf8.allSatisfy { $0.isLetterDigitDashOrUnderscore })
        }
    }
}

extension UInt8 {
    fileprivate var isLetterDigitDashOrUnderscore: Bool {
        let letter = Character(Unicode.Scalar(self))
        return letter.isLetter || letter.isNumber || letter == "-" || letter == "_"
    }
}
