import Synchronization

/// The faults that apply to coming calls, oldest first.
final class FaultList: Sendable {
    private let faults = Mutex<[Fault]>([])

    func add(_ fault: Fault) { faults.withLock { $0.append(fault) } }
    func clear() { faults.withLock { $0.removeAll() } }

    /// The fault for this call, if any. Counts down how often it still applies.
    func take(operation: String, bank: String) -> Fault? {
        faults.withLock { faults in
            let index = faults.firstIndex { fault in
                (fault.operation == operation || fault.operation == "*") && (fault.bank ?? bank) == bank
            }
            guard let index else { return nil }
            let fault = faults[index]
            faults[index].times -= 1
            if faults[index].times <= 0 { faults.remove(at: index) }
            return fault
        }
    }
}
