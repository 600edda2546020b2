import Basics
package import Keys

extension PINStatus {
    /// The warning to show before a PIN is typed; nil if there is none. Throws `PINError.blocked` if the PIN would not
    /// be checked, so that nobody types it in vain.
    package func warning() throws(PINError) -> String? {
        if triesLeft < 5, let seconds = blockedFor { throw .blocked(for: seconds) }
        return triesLeft == 1
            ? "This is the last try: a wrong PIN destroys all keys, and every bank must be enrolled again." : nil
    }
}
