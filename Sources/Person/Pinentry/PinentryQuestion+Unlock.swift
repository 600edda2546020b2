package import Display

extension PinentryQuestion {
    /// The question that unlocks, in these words. `asker` names the process that asks and the program that started it.
    package static func unlock(_ words: String, _ asker: DisplayText) -> PinentryQuestion {
        let words = DisplayText(words)
        return PinentryQuestion(
            "Unlock Countersign", details: [words, asker], brief: [words, oneLine(asker, within: briefWidth)],
            ok: "Unlock")
    }
}
