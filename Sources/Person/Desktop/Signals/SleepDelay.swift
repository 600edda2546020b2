/// Delays the sleep of the machine until we are ready.
struct SleepDelay {
    /// logind waits as long as this is open.
    private var inhibitor: OwnedDescriptor?
    private var machineSleeps = false
    private var isReady = false

    mutating func granted(_ descriptor: OwnedDescriptor?) {
        // Closed at once when we are ready already.
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
