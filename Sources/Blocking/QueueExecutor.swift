package import Dispatch

/// Runs an actor's jobs one after the other on a dispatch queue of its own.
///
/// An actor's calls into a C library block. On this executor they block a thread of Dispatch, never one of the few
/// threads of Swift's cooperative pool. (`DispatchSerialQueue`, which would do, does not exist on Linux.)
package final class QueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            // The queue is serial and only this executor's jobs are given to it, so the job has the executor to itself.
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        // Every job holds the actor, and the actor holds this executor, so the reference outlives its users.
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
