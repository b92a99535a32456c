import ArgumentParser

/// The program. One executable; the subcommand says which part of the system it is.
@main
struct Coworkflow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coworkflow",
        abstract: "Runs a coworking business: bookings, prices, accounts, all from one log of events.",
        subcommands: [
            DevCommand.self, ServeCommand.self, EventStoreCommand.self, ProjectionsCommand.self, GatewayCommand.self,
            SandboxPSPCommand.self, SimulateCommand.self,
            MigrateCommand.self, VerifyCommand.self, ReplayCommand.self, LogCommand.self, ExplainCommand.self,
            WhatifCommand.self, DeadLettersCommand.self, StuckCommand.self, AdminCommand.self, KeysCommand.self, ErasuresCommand.self,
        ]
    )
}
