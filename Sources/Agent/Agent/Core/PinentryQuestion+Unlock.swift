package import Display
package import Pinentry

extension PinentryQuestion {
    /// The question that unlocks the agent. `asker` names the process that asks and the program that started it.
    package static func unlock(_ asker: DisplayText) -> PinentryQuestion {
        let words = DisplayText("Enter your PIN to open your bank connections")
        return PinentryQuestion(
            "Unlock Countersign", details: [words, asker], brief: [words, oneLine(asker, within: briefWidth)],
            ok: "Unlock")
    }
}
