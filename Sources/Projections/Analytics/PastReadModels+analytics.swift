import Domain
package import Logging
package import Postgres

extension PastReadModels {
    /// Of analytics alone. It holds nothing that is sealed, so no key is needed.
    ///
    /// - Parameter configuration: of `Projections.configuration`; two connections are made.
    package convenience init(analytics configuration: PostgresConfiguration, logger: Logger) {
        self.init(configuration: configuration, opener: NothingSealed(), models: [AnalyticsModel()], logger: logger)
    }
}

/// Stands where no sealed text can come by.
private struct NothingSealed: SealOpener {
    struct Unexpected: Error {}

    func openOrErased(_ sealed: Selado, field: String) async throws -> String {
        throw Unexpected()
    }
}
