import EventStore
import Testing

@testable import Projections

/// A database whose read models have applied a log, with the queries on top.
struct ReadSide {
    let database: TestDatabase
    let contas: ContasQueries
    let catalogo: CatalogoQueries
    let agenda: AgendaQueries
    let reservas: ReservasQueries
    let notificacoes: NotificacoesQueries

    static func after(_ log: TestLog, _ test: (ReadSide) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            for model in Projections.models {
                let target = ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
                let position = try #require(try await target.acquire())
                try await target.apply(log.events, after: position, through: log.head)
            }
            try await test(
                ReadSide(
                    database: database, contas: ContasQueries(pool: database.gateway), catalogo: CatalogoQueries(pool: database.gateway),
                    agenda: AgendaQueries(pool: database.gateway), reservas: ReservasQueries(pool: database.gateway),
                    notificacoes: NotificacoesQueries(pool: database.gateway)
                )
            )
        }
    }
}

/// All items of a list, read page by page, and how many pages that took.
func pages<Item: Sendable>(_ page: (Cursor?) async throws -> ResultPage<Item>) async throws -> [[Item]] {
    var pages: [[Item]] = []
    var cursor: Cursor?
    repeat {
        let next = try await page(cursor)
        pages.append(next.items)
        // As a client has it: through its text.
        cursor = try next.next.map { try #require(Cursor($0.text)) }
    } while cursor != nil
    return pages
}
