import AMQP
import PagamentosService
import Postgres
import ServiceLifecycle

/// Keeps a broker connection up until everything that uses it has stopped.
struct BrokerService: Service {
    let connection: AMQPConnection

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await connection.run()
        }
    }
}

/// Closes what a payment provider is asked over, after everything that asks it has stopped.
struct ProviderLifetime: Service {
    let provider: any PaymentProvider

    func run() async throws {
        try? await gracefulShutdown()
        await provider.shutDown()
    }
}

/// Closes pools after everything that uses them has stopped.
struct PoolService: Service {
    private let pools: [PostgresPool]

    init(_ pools: [PostgresPool]) {
        self.pools = pools
    }

    func run() async throws {
        try? await gracefulShutdown()
        for pool in pools { await pool.close() }
    }
}
