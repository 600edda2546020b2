public import Basics

extension PINStatus {
    /// What a person is told before a PIN is typed; nil where nothing is unusual. Throws `PINError` `blocked` where it would not
    /// be tried: nobody types a PIN for nothing, and nobody takes the last try unwarned.
    public func warning() throws(PINError) -> String? {
        if triesLeft < 5, let seconds = blockedFor {
            throw PINError(.blocked, triesLeft: triesLeft, blockedFor: seconds)
        }
        return triesLeft == 1
            ? "This is the last try: a wrong PIN destroys all keys, and every bank must be enrolled again." : nil
    }
}
