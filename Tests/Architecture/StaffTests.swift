import Testing

/// Staff may work for some units only, so a role alone says little.
@Suite struct StaffTests {
    /// Where the role alone is asked for, and what else is looked at there.
    private static let roleAlone: Set<String> = [
        // What is a member's and no unit's: subscriptions, credits.
        "Sources/Domain/Precos/Comandos/AssinarPlano.swift", "Sources/Domain/Precos/Comandos/CancelarAssinatura.swift",
        "Sources/Domain/Precos/Comandos/ConcederCreditos.swift", "Sources/Domain/Precos/Comandos/TrocarPlano.swift",
        "Sources/Services/Precos/PlanChangeRoutes.swift", "Sources/Services/Precos/SubscriptionRoutes.swift",
        "Sources/Gateway/Queries/QueryRoutes+benefits.swift",
        // The unit is asked for next, in the same file.
        "Sources/Domain/Espacos/Espaco.swift", "Sources/Domain/Financeiro/Comandos/EstornarDespesa.swift",
        "Sources/Domain/Financeiro/Comandos/RegistrarDespesa.swift", "Sources/Domain/Pagamentos/Comandos/EstornarPagamento.swift",
        "Sources/Domain/Pagamentos/Comandos/ReceberNoBalcao.swift",
        "Sources/Domain/Comum/Autoridade.swift", "Sources/Projections/Support/SelectBuilder.swift",
        // The decider or the query asks for the unit; here it is not known yet.
        "Sources/Services/Pagamentos/PagamentosRoutes.swift", "Sources/Services/Reservas/AttendanceRoutes.swift",
        "Sources/Services/Reservas/ReservasRoutes.swift", "Sources/Services/Reservas/StreamLoader+bookings.swift",
        "Sources/Gateway/Queries/QueryRoutes+bookings.swift",
    ]

    private static func asksForTheRoleAlone(_ file: Project.File) -> [Int] {
        file.lines(
            with: [".opera", "role >=", "papel >=", "papel <"],
            matching: /(ator|actor|por|autoridade)\.opera($|[^A-Za-z(])|(^|[^A-Za-z])(role|papel) (>=|<) \.(recepcao|gestor)/
        )
    }

    @Test("Whoever asks whether somebody is of the staff asks in which unit, but where that is known to be no matter")
    func units() throws {
        var found: Set<String> = []
        for file in try Project.swiftFiles(under: "Sources/Domain", "Sources/Services", "Sources/Projections", "Sources/Gateway")
        where !asked(file).isEmpty {
            #expect(Self.roleAlone.contains(file.path), "\(asked(file).map(file.place))")
            found.insert(file.path)
        }
        #expect(found == Self.roleAlone, "none is excused that does not need it")
    }

    private func asked(_ file: Project.File) -> [Int] {
        // What roles and actors are is said there.
        file.path == "Sources/Domain/Comum/Papel.swift" ? [] : Self.asksForTheRoleAlone(file)
    }

    @Test(
        "What asks for the role alone is found, what asks for the unit is not",
        arguments: [
            ("guard ator.opera else { return }", true), ("if identity.actor.opera { }", true), ("identity.role >= .recepcao", true),
            ("ator.papel < .gestor", true), ("ator.opera(em: unidade)", false), ("ator.operaEmTodas", false),
            ("ator.papel(em: unidade) >= .gestor", false), ("role >= .admin", false),
        ]
    )
    func found(text: String, isRoleAlone: Bool) {
        #expect(Self.asksForTheRoleAlone(Project.File(path: "a.swift", text: text)).isEmpty != isRoleAlone)
    }
}
