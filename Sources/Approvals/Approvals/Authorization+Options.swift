package import Basics
import Display
package import ApprovalModel

extension Authorization {
    /// The option that is shown as `text`. Nil if `text` is nil and there is nothing to choose. Throws `DecisionError`:
    /// `needsOption`, `noSuchOption`, `takesNoOption`, `onlyDenial`.
    package func option(shownAs text: String?) throws(DecisionError) -> BankText? {
        guard let options, let shown = shownOptions else {
            if text != nil { throw DecisionError.takesNoOption }
            return nil
        }
        guard !shown.isEmpty else { throw DecisionError.onlyDenial }
        guard let text else { throw DecisionError.needsOption }
        guard shown.contains(text), let chosen = options.first(where: { DisplayText($0).line == text }) else {
            throw DecisionError.noSuchOption
        }
        return chosen
    }
}

extension [DecisionEntry] {
    /// How many approvals of exactly this content the bank refused.
    package func refusals(of fingerprint: Fingerprint) -> Int {
        count { $0.shown.fingerprint == fingerprint && $0.verdict == .approve && $0.outcome == .refused }
    }
}
