// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is held to the same rules (see docs/style.md): strict concurrency comes with the
/// Swift 6 language mode, the rest is switched on here, and a warning fails the build.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Where tests make a process die, stand still or lose its server. No release build has them.
let faultPoints: [SwiftSetting] = [.define("FAULT_POINTS", .when(configuration: .debug))]

/// A process keeps in memory what it touches of its file, in groups of sixteen pages. So names that nobody looks up stay out of it, and
/// functions that nothing calls with them; relative relocations take an eighth of the room; and what a role runs while it starts and idles
/// lies side by side (`make order`).
let compact: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"]
            + [
                "--no-export-dynamic", "-z", "pack-relative-relocs",
                "--symbol-ordering-file", "\(Context.packageDirectory)/scripts/lib/startup-order.txt", "--no-warn-symbol-ordering",
            ].flatMap { ["-Xlinker", $0] },
        .when(platforms: [.linux], configuration: .release)
    )
]

func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package)
}

let logging = product("Logging", "swift-log")
let metrics = product("Metrics", "swift-metrics")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let crypto = product("Crypto", "swift-crypto")
let hummingbird = product("Hummingbird", "hummingbird")
let asyncHTTPClient = product("AsyncHTTPClient", "async-http-client")

/// One module a service, so that the compiler itself refuses an import of one service by another.
let services = [
    "Usuarios",
    "Espacos",
    "Precos",
    "Reservas",
    "Pagamentos",
    "Checkin",
    "Notificacoes",
    "Financeiro",
    "Analytics",
]

/// What a service needs besides what all of them do.
let furtherDependencies: [String: [Target.Dependency]] = [
    "Notificacoes": [
        "SMTP", asyncHTTPClient, product("Mustache", "swift-mustache"),
        product("NIOPosix", "swift-nio"),
    ]
]

/// Files that a service carries inside.
let serviceResources: [String: [Resource]] = ["Notificacoes": [.embedInCode("Templates")]]

let package = Package(
    name: "coworkflow",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .systemLibrary(name: "Clibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "Crabbitmq", pkgConfig: "librabbitmq", providers: [.apt(["librabbitmq-dev"])]),
        .systemLibrary(name: "Clibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "Clibqrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "Clibpng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .target(name: "Blocking", swiftSettings: strict),
        .target(name: "Postgres", dependencies: ["Blocking", "Clibpq", logging], swiftSettings: strict + faultPoints),
        .target(name: "AMQP", dependencies: ["Crabbitmq", logging], swiftSettings: strict),
        .target(name: "SMTP", dependencies: ["Blocking", "Clibcurl"], swiftSettings: strict),
        .target(name: "QR", dependencies: ["Clibqrencode", "Clibpng"], swiftSettings: strict),
        .target(name: "Domain", swiftSettings: strict),
        .target(
            name: "EventStore",
            dependencies: ["Domain", "Postgres", "AMQP", logging, metrics, lifecycle, crypto],
            resources: [.embedInCode("Migrations")],
            swiftSettings: strict + faultPoints
        ),
        .target(
            name: "HTTP",
            dependencies: [
                "Domain", "EventStore", "Postgres", hummingbird, logging, metrics, crypto,
                product("HTTPTypes", "swift-http-types"), product("NIOCore", "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SandboxPSP",
            dependencies: [
                "Domain", "EventStore", "HTTP", hummingbird, asyncHTTPClient, logging, lifecycle, crypto,
                product("HTTPTypes", "swift-http-types"), product("NIOCore", "swift-nio"), product("NIOHTTP1", "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Projections",
            dependencies: ["Domain", "EventStore", "Postgres", logging, metrics, lifecycle, crypto],
            swiftSettings: strict
        ),
        // In C, which embeds a file at once: as a resource of Gateway it would be an array literal that takes the compiler minutes.
        .target(name: "OpenAPIDocument", path: "Sources/Gateway/OpenAPI", exclude: ["openapi.json"]),
        .target(
            name: "Gateway",
            dependencies: [
                "Domain", "EventStore", "HTTP", "OpenAPIDocument", "Postgres", "Projections", hummingbird, asyncHTTPClient, logging,
                metrics, lifecycle, crypto, product("JWTKit", "jwt-kit"), product("HTTPTypes", "swift-http-types"),
                product("NIOCore", "swift-nio"), product("NIOHTTP1", "swift-nio"), product("NIOPosix", "swift-nio"),
            ],
            exclude: ["OpenAPI"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "coworkflow",
            dependencies: [
                "AMQP", "Domain", "EventStore", "Gateway", "HTTP", "Postgres", "Projections", "SMTP", "SandboxPSP", hummingbird,
                asyncHTTPClient,
                logging, metrics, lifecycle, crypto, product("ArgumentParser", "swift-argument-parser"),
                product("Configuration", "swift-configuration"), product("NIOCore", "swift-nio"),
                product("NIOHTTP1", "swift-nio"), product("SystemPackage", "swift-system"),
                product("UnixSignals", "swift-service-lifecycle"),
            ] + services.map { .init(stringLiteral: "\($0)Service") },
            swiftSettings: strict,
            linkerSettings: compact
        ),
        .executableTarget(
            name: "EngineBench",
            dependencies: [
                "AMQP", "Domain", "EventStore", "Postgres", "Projections", logging, lifecycle,
                product("ArgumentParser", "swift-argument-parser"),
            ],
            path: "benchmarks/Engine",
            swiftSettings: strict
        ),
        // Not a test itself: what `make chaos` appends with.
        .executableTarget(
            name: "appender",
            dependencies: ["AMQP", "EventStore", "TestSupport", logging],
            path: "Tests/Appender",
            swiftSettings: strict
        ),
        .testTarget(name: "ArchitectureTests", path: "Tests/Architecture", swiftSettings: strict),
        // What tests of several targets use.
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
        .testTarget(name: "QRTests", dependencies: ["QR", "TestSupport"], path: "Tests/QR", swiftSettings: strict),
        .testTarget(
            name: "DomainTests",
            dependencies: ["Domain", "TestSupport"],
            path: "Tests/Domain",
            exclude: ["Amostras"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "TestSupport", logging],
            path: "Tests/Postgres",
            swiftSettings: strict + faultPoints
        ),
        .testTarget(name: "AMQPTests", dependencies: ["AMQP", "TestSupport", logging], path: "Tests/AMQP", swiftSettings: strict),
        .testTarget(name: "SMTPTests", dependencies: ["SMTP", "TestSupport"], path: "Tests/SMTP", swiftSettings: strict),
        .testTarget(
            name: "EventStoreTests",
            dependencies: ["EventStore", "Domain", "Postgres", "AMQP", "TestSupport", logging, lifecycle, crypto],
            path: "Tests/EventStore",
            swiftSettings: strict + faultPoints
        ),
        .testTarget(
            name: "PagamentosTests",
            dependencies: [
                "PagamentosService", "Domain", "HTTP", hummingbird, product("HummingbirdTesting", "hummingbird"),
                product("HTTPTypes", "swift-http-types"), product("NIOCore", "swift-nio"),
            ],
            path: "Tests/Pagamentos",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProjectionsTests",
            dependencies: ["Projections", "EventStore", "Domain", "Postgres", "AMQP", "TestSupport", logging, lifecycle, crypto],
            path: "Tests/Projections",
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificacoesTests",
            dependencies: ["NotificacoesService", "Domain", "EventStore", "HTTP", "SMTP", crypto],
            path: "Tests/Notificacoes",
            swiftSettings: strict
        ),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "HTTP", "Domain", "EventStore", "Postgres", "Projections", "TestSupport", hummingbird, asyncHTTPClient, logging,
                crypto, lifecycle, product("HummingbirdTesting", "hummingbird"), product("JWTKit", "jwt-kit"),
                product("HTTPTypes", "swift-http-types"), product("NIOCore", "swift-nio"),
            ],
            path: "Tests/Gateway",
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "coworkflow", "AMQP", "Domain", "EventStore", "Gateway", "HTTP", "PagamentosService", "Postgres", "Projections",
                "TestSupport", hummingbird, product("HummingbirdTesting", "hummingbird"), asyncHTTPClient, logging, lifecycle, crypto,
                product("Configuration", "swift-configuration"), product("NIOCore", "swift-nio"),
                product("NIOHTTP1", "swift-nio"), product("SystemPackage", "swift-system"),
                product("UnixSignals", "swift-service-lifecycle"),
            ],
            path: "Tests/Integration",
            swiftSettings: strict
        ),
    ]
        + services.map { name in
            .target(
                name: "\(name)Service",
                dependencies: [
                    "Domain", "EventStore", "HTTP", "Postgres", "QR", hummingbird, asyncHTTPClient, logging, metrics, lifecycle, crypto,
                    product("CryptoExtras", "swift-crypto"), product("HTTPTypes", "swift-http-types"), product("NIOCore", "swift-nio"),
                    product("NIOHTTP1", "swift-nio"), product("NIOSSL", "swift-nio-ssl"),
                ] + (furtherDependencies[name] ?? []),
                path: "Sources/Services/\(name)",
                resources: serviceResources[name],
                swiftSettings: strict
            )
        },
)
