package import Basics

/// How many wrong PINs one command, or one question of the agent, takes: three, so that the next try is typed at the
/// question and not into a shell.
package struct PINTries: Sendable {
    private static let most = 3
    private var wrong = 0

    package init() {}

    /// Throws after the third wrong PIN.
    package func demandMore() throws {
        guard wrong < Self.most else {
            throw Failure(.locked, "three wrong PINs; one command takes no more", hint: "run it again")
        }
    }

    /// Takes the failure of a try. Returns whether to ask again: only a wrong PIN is worth another try.
    package mutating func mayAskAgain(after failure: Failure) -> Bool {
        guard failure.mayTryAgain else { return false }
        wrong += 1
        return wrong < Self.most
    }
}
