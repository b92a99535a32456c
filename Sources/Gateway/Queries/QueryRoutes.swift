import Domain
import HTTP
import Hummingbird
import Postgres
import Projections

/// Every query of the API, answered from the read models.
struct QueryRoutes: Sendable {
    let desk: QueryDesk
    let pool: PostgresPool
    let contas: ContasQueries
    let catalogo: CatalogoQueries
    let beneficios: BeneficiosQueries
    let agenda: AgendaQueries
    let reservas: ReservasQueries
    let notificacoes: NotificacoesQueries
    let pagamentos: PagamentosQueries
    let presencas: PresencasQueries
    /// Reads the tokens of door displays.
    let displays: SignedCode<MarcaDeEspaco>.Signer
    let razao: RazaoQueries
    let deadLetters: DeadLetterQueries
    let history: AnalyticsHistory
    let progress: ProgressWatcher
    let zones: ZoneCatalog
    /// Microseconds since the Unix epoch.
    let clock: @Sendable () -> Int64

    var now: Instante { Instante(microssegundos: clock()) }

    func add(to doors: Doors) {
        addCatalogue(to: doors)
        addBenefits(to: doors)
        addCalendar(to: doors)
        addBookings(to: doors)
        addNotices(to: doors)
        addPayments(to: doors)
        addPresence(to: doors)
        addAccounts(to: doors)
        addLedger(to: doors)
        addAnalytics(to: doors)
        addOperations(to: doors)
    }
}
