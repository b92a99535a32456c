package import Domain
package import EventStore
package import HTTP

/// What explains the entries of a year is deleted when the term for its books is over: first that is recorded, then the year's key goes.
package struct BooksPolicy: Policy {
    package let name = "financeiro.livros"
    package let contexts: Set<String> = ["financeiro"]

    // Not among the kinds that begin with `FinanceiroPolicy.prefix`: no month waits for these.
    static let endTerm = "livros.encerrar"
    static let deleteKey = "livros.apagar_chave"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .financeiro(.despesaRegistrada(let event)): end(of: event.memo)
        case .financeiro(.despesaEstornada(let event)): end(of: event.motivo)
        case .financeiro(.prazoDosLivrosProrrogado(let event)): [command(Self.endTerm, event.ano, event.ate)]
        case .financeiro(.prazoDosLivrosEncerrado(let event)): [command(Self.deleteKey, event.ano, event.em)]
        case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .financeiro, .analytics, .notificacoes: []
        }
    }

    /// By the law's term: where the operator's is longer, the command says so when it comes.
    private func end(of text: Selado?) -> [ScheduledCommand] {
        guard let year = text.flatMap(Keyring.subject).flatMap({ AnoDosLivros(chave: $0) }) else { return [] }
        return [command(Self.endTerm, year, PrazoDosLivros.legal.fim(de: year))]
    }

    private func command(_ kind: String, _ year: AnoDosLivros, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: kind, aggregate: year.chave, due: due.microssegundos)
    }

    /// - Parameter list: writes a key's subject where no backup reaches it, before the key is deleted.
    package func handlers(
        _ commands: CommandHandling,
        keyring: Keyring,
        term: PrazoDosLivros,
        list: @escaping @Sendable (_ subject: String) async throws -> Void
    ) -> [String: TimerRunner.Handler] {
        [
            Self.endTerm: { timer in
                let year = try Self.year(of: timer)
                _ = try await commands.run(timer, of: name) { loader in
                    EncerrarLivros(ano: year, prazo: term, agora: commands.now)
                        .decidir(livros: LivrosDoAno.dobrar(try await loader.load(.livros(year))))
                }
            },
            Self.deleteKey: { timer in
                let subject = try Self.year(of: timer).chave
                try await list(subject)
                try await keyring.erase(subject)
            },
        ]
    }

    private static func year(of timer: DueTimer) throws -> AnoDosLivros {
        guard let year = AnoDosLivros(chave: timer.aggregate) else { throw Problem.notFound }
        return year
    }
}
