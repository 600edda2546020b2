/// One judgement of doctor.
package struct Finding: Sendable, Equatable {
    /// The name of the one about the keyring.
    static let keyring = "secret-service"

    package let name: String
    package let isGood: Bool
    package let words: String
    package let hint: String?

    package init(_ name: String, isGood: Bool, _ words: String, hint: String?) {
        (self.name, self.isGood, self.words) = (name, isGood, Sentence.of(words))
        self.hint = hint.map(Sentence.of)
    }
}
