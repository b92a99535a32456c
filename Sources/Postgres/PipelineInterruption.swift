/// A place inside a pipeline at which a test build can make its process die, stand still, or lose its server: there is no other
/// way to have a server run a part of a batch that travels as a whole.
///
/// Compiled in under `FAULT_POINTS`, which Package.swift defines for debug builds. Of a release build only the names of the places
/// are left, and nothing uses them.
package struct PipelineInterruption: Sendable {
    package enum Place: Sendable, Equatable {
        /// After the server has run all steps before this one, in a transaction that is still open; with 0, before anything is sent.
        case before(step: Int)
        /// After the server has run all steps, and before it is told to commit.
        case beforeSync
        /// After the server has committed, or refused to, and before its answer is read.
        case beforeAnswer
    }

    #if FAULT_POINTS
        let place: Place
        /// Called once, on the connection's queue, which it may block. False has the connection cut.
        let goesOn: @Sendable () -> Bool
    #endif
}

#if FAULT_POINTS
    extension PostgresConnection {
        /// Interrupts the next pipeline.
        ///
        /// - Parameter goesOn: called at the place, on the connection's queue, which it may block; false cuts the connection there.
        package func interruptNextPipeline(
            at place: PipelineInterruption.Place,
            goesOn: @escaping @Sendable () -> Bool
        ) throws(PostgresError) {
            try guarding { handle throws(PostgresError) in
                handle.interruption = PipelineInterruption(place: place, goesOn: goesOn)
            }
        }
    }
#endif
