extension PostgresConnection {
    /// Sends all steps at once, in one round trip, and returns their rows in order.
    ///
    /// Outside a transaction the steps are one: they commit together, or, if one fails, none takes effect and those after it
    /// do not run. (Steps must not say `BEGIN` or `COMMIT` for that to hold.) A step cannot use what an earlier one returned,
    /// and an `UPDATE` that finds no row is no failure: a step that must stop the others has to raise.
    ///
    /// - Throws: the failing step's ``PostgresError`` with ``PostgresError/pipelineStep``, or the commit's error, for example of a
    ///   deferred constraint.
    package func pipeline(_ steps: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        guard !steps.isEmpty else { return [] }
        var encoded: [EncodedParameters] = []
        encoded.reserveCapacity(steps.count)
        for (index, step) in steps.enumerated() {
            do throws(PostgresError) {
                guard !step.sql.utf8.contains(0) else { throw PostgresError(.misuse, "the statement contains U+0000") }
                encoded.append(try EncodedParameters(step.parameters))
            } catch {
                throw error.at(step: index)
            }
        }
        var mayRetry = true
        return try retryingStalePlan(while: { mayRetry }) { () throws(PostgresError) in
            try pipelineOnce(steps, encoded, mayRetry: &mayRetry)
        }
    }

    private func pipelineOnce(
        _ steps: [PostgresStatement],
        _ encoded: [EncodedParameters],
        mayRetry: inout Bool
    ) throws(PostgresError) -> [PostgresRows] {
        let plan = planPipeline(steps, encoded)
        let outcome = try guarding { handle throws(PostgresError) in
            try deallocateEvicted(handle)
            do throws(PostgresError) {
                return try handle.pipeline(plan.commands)
            } catch {
                // A pipeline that did not run to its end leaves the connection in the middle of something.
                close()
                throw error
            }
        }
        // Prepared statements outlive the transaction they were prepared in, so what was prepared before a failure counts.
        withStatements { statements in
            for prepared in plan.preparations where prepared.command < outcome.results.count {
                statements.insert(prepared.name, for: prepared.key)
            }
        }
        if let error = outcome.error {
            // After a step that ended a transaction, something may have been committed already.
            mayRetry = !outcome.results.contains { ["BEGIN", "COMMIT", "ROLLBACK", "START TRANSACTION"].contains($0.commandTag) }
            if error.isConnectionLost { close() }
            throw outcome.failedCommand.map { error.at(step: plan.stepOfCommand[$0]) } ?? error
        }
        return zip(plan.commands, outcome.results).compactMap { command, result in
            if case .execute = command { PostgresRows(storage: result) } else { nil }
        }
    }

    private struct PipelinePlan {
        var commands: [ConnectionHandle.PipelineCommand] = []
        var stepOfCommand: [Int] = []
        var preparations: [(command: Int, name: String, key: StatementCache.Key)] = []
    }

    /// The commands for the steps: statements not prepared yet are prepared just before their first use.
    private func planPipeline(_ steps: [PostgresStatement], _ encoded: [EncodedParameters]) -> PipelinePlan {
        withStatements { statements in
            var plan = PipelinePlan()
            var names: [StatementCache.Key: String] = [:]
            for (index, (step, parameters)) in zip(steps, encoded).enumerated() {
                let key = StatementCache.Key(sql: step.sql, types: parameters.types)
                let name: String
                if let known = names[key] ?? statements.name(for: key) {
                    name = known
                } else {
                    name = statements.makeName()
                    names[key] = name
                    plan.preparations.append((command: plan.commands.count, name: name, key: key))
                    plan.commands.append(.prepare(sql: step.sql, name: name, types: parameters.types))
                    plan.stepOfCommand.append(index)
                }
                plan.commands.append(.execute(name: name, parameters))
                plan.stepOfCommand.append(index)
            }
            return plan
        }
    }
}
