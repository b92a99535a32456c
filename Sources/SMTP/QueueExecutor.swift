import Dispatch

/// Runs an actor's jobs one after the other on a dispatch queue of its own: what blocks in libcurl blocks a thread of Dispatch, never
/// one of Swift's cooperative pool.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            // The queue is serial and only this executor's jobs are given to it, so the job has the executor to itself.
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        // Every job holds the actor, and the actor holds this executor, so the reference outlives its users.
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
