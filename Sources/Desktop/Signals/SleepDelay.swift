/// What makes the machine wait before it sleeps, until we are ready.
struct SleepDelay {
    /// logind waits while it is open.
    private var inhibitor: OwnedDescriptor?
    private var machineSleeps = false
    private var isReady = false

    mutating func granted(_ descriptor: OwnedDescriptor?) {
        // For a sleep that we are ready for already, it comes too late.
        inhibitor = isReady ? nil : descriptor
    }

    mutating func machine(sleeps: Bool) {
        machineSleeps = sleeps
        isReady = false
    }

    mutating func ready() {
        guard machineSleeps else { return }
        isReady = true
        inhibitor = nil
    }
}
