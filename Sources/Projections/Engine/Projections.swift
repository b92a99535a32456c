package import EventStore
package import Logging
package import Postgres

/// The read side of the program: which read models there are, and what keeps them.
package enum Projections {
    /// Where the live read models and their checkpoints lie.
    static let schema = "read"

    /// Every read model.
    package static let models: [any ReadModel] = [
        ContasModel(),
        CatalogoModel(),
        BeneficiosModel(),
        AgendaModel(),
        ReservasModel(),
        PagamentosModel(),
        PresencasModel(),
        NotificacoesModel(),
        RazaoModel(),
        AnalyticsModel(),
    ]

    /// How the keepers of read models connect.
    ///
    /// Their commits wait for no disk: rows and checkpoint are lost together if the server dies, and come again from the log.
    package static func configuration(_ base: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = base.taking(.projector)
        configuration.synchronousCommit = "off"
        return configuration
    }

    /// One subscription a read model, each to be run.
    ///
    /// - Parameters:
    ///   - feed: listens to all contexts.
    ///   - pool: connections of `configuration`; one a read model is enough.
    ///   - opener: the keyring.
    package static func subscriptions(
        feed: EventFeed,
        reader: LogReader,
        pool: PostgresPool,
        opener: any SealOpener,
        logger: Logger
    ) -> [Subscription] {
        models.map { model in
            Subscription(
                ProjectionTarget(model, decoded: reader.decoded, opener: opener, pool: pool, logger: logger),
                feed: feed,
                reader: reader,
                logger: logger
            )
        }
    }
}
