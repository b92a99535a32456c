import Postgres
import Testing

@testable import EventStore

@Suite struct PrivilegeTests {
    private static let changes = ["events", "commands"].flatMap { table in
        [
            "update log.\(table) set command_id = command_id", "update log.\(table) set command_id = command_id where false",
            "delete from log.\(table)", "delete from log.\(table) where false", "truncate log.\(table)", "truncate log.\(table) cascade",
        ]
    }

    @Test func `history cannot be changed by anybody`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.record([.sample(["a": 0], events: 3)])
            // and an owner of the tables who is no superuser
            try await world.admin.executeScript(
                """
                create role \(world.name)_owner nologin;
                grant usage on schema log to \(world.name)_owner;
                alter table log.events owner to \(world.name)_owner;
                alter table log.commands owner to \(world.name)_owner;
                """
            )
            for change in Self.changes {
                // then neither the superuser
                for replication in ["origin", "replica", "local"] {
                    try await world.admin.executeScript("set session_replication_role = \(replication)")
                    #expect(await failure(of: change, on: world.admin) == "CW002", "\(change), \(replication)")
                }
                try await world.admin.executeScript("reset session_replication_role; set role \(world.name)_owner")
                // nor the owner
                #expect(await failure(of: change, on: world.admin) == "CW002", "\(change), owner")
                // nor any role of ours
                for role in DatabaseRole.allCases {
                    try await world.admin.executeScript("set role \(role.rawValue)")
                    let state = await failure(of: change, on: world.admin)
                    #expect(state == "42501" || state == "CW002", "\(change), \(role)")
                }
                try await world.admin.executeScript("reset role")
            }
            try await world.expectSoundLog()
            try await world.admin.executeScript(
                "reassign owned by \(world.name)_owner to current_user; drop owned by \(world.name)_owner; drop role \(world.name)_owner"
            )
        }
    }

    @Test func `the writer's row, which the fence needs, is deleted by nobody`() async throws {
        try await TestWorld.run(broker: false) { world in
            for replication in ["origin", "replica"] {
                try await world.admin.executeScript("set session_replication_role = \(replication)")
                for change in ["delete from log.writer", "truncate log.writer"] {
                    #expect(await failure(of: change, on: world.admin) == "CW002", "\(change), \(replication)")
                }
            }
        }
    }

    @Test func `an upsert or a merge does not change history either`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["a": 0])])
            for change in [
                "insert into log.events select * from log.events on conflict (position) do update set type = 'x'",
                "merge into log.events e using log.writer w on e.position = w.head when matched then update set type = 'x'",
                "merge into log.commands c using log.writer w on c.first_position = w.head when matched then delete",
            ] {
                #expect(await failure(of: change, on: world.admin) == "CW002", "\(change)")
            }
        }
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let sql: String
        let allowed: Set<DatabaseRole>
        var testDescription: String { sql }

        init(_ sql: String, _ allowed: DatabaseRole...) {
            self.sql = sql
            self.allowed = Set(allowed)
        }
    }

    private static let rules = [
        Rule("update log.events set type = type where false"),
        Rule("delete from log.events where false"),
        Rule("truncate log.events"),
        Rule("update log.commands set fingerprint = '' where false"),
        Rule("delete from log.commands where false"),
        Rule("insert into log.events select * from log.events where false", .recorder),
        Rule("insert into log.commands select * from log.commands where false", .recorder),
        Rule("insert into log.heads select * from log.heads where false", .recorder),
        Rule("update log.heads set version = version", .recorder),
        Rule("update log.writer set epoch = epoch", .recorder),
        Rule("insert into log.writer select * from log.writer where false"),
        Rule("delete from log.writer where false"),
        Rule("select log.take_over()", .recorder),
        Rule("select log.fence(-1, 0, 0, '')", .recorder),
        Rule("select log.fenced()", .recorder, .service, .projector),
        Rule("select log.expect('{}', '{}')", .recorder, .service, .projector),
        Rule("select 1 from log.events", .recorder, .service, .projector),
        Rule("select 1 from log.heads", .recorder, .service, .projector),
        Rule("select 1 from log.commands", .recorder, .service, .projector),
        Rule("select 1 from log.writer", .recorder, .service, .projector),
        Rule("select 1 from subs.checkpoints", .service),
        Rule("update subs.timers set attempts = 0", .service),
        Rule("select subject from subs.timers", .service),
        Rule("select last_error from subs.timers", .service, .gateway),
        Rule("select 1 from subs.dead_letter_decisions", .service),
        Rule("delete from subs.dead_letter_decisions"),
        Rule("update read.dead_letter_decisions set reason = ''"),
        Rule("select 1 from subs.dead_letters", .service, .gateway),
        Rule("delete from subs.dead_letters", .service),
        Rule("delete from subs.webhook_deliveries", .service),
        Rule("select secret from subs.webhooks", .service),
        Rule("select 1 from subs.beginning", .service),
        Rule("update subs.beginning set position = 0"),
        Rule("select subs.begin_after(0)", .recorder),
        Rule("select 1 from read.dead_letters", .projector, .gateway),
        Rule("update read.dead_letters set retry_asked = true", .projector),
        Rule("select 1 from keys.personal", .keyring),
        Rule("delete from keys.personal"),
        Rule("truncate keys.personal"),
        Rule("update keys.personal set wrapped = '', master = ''", .keyring),
        Rule("update keys.personal set subject = ''"),
        Rule("select 1 from volatile.refresh_tokens", .gateway),
        Rule("create table log.mine ()"),
        Rule("create table public.mine ()"),
        Rule("create table read.mine ()", .projector),
        Rule("alter table log.events disable trigger all"),
        Rule("drop table log.events"),
    ]

    @Test(arguments: DatabaseRole.allCases)
    func `a role may do what it is for and nothing else`(_ role: DatabaseRole) async throws {
        try await TestWorld.run(broker: false) { world in
            let connection = try await world.connection(role)
            for rule in Self.rules {
                let state = await failure(of: rule.sql, on: connection)
                if rule.allowed.contains(role) {
                    // The fence itself raises: there is no such epoch.
                    #expect(state == nil || state == "CW001", "\(role): \(rule.sql)")
                } else {
                    #expect(state == "42501", "\(role): \(rule.sql)")
                }
            }
        }
    }
}
