public import Authenticator
public import Display
import SCA

extension Card {
    /// What the guard against fatigue looks at.
    public var request: FatigueGuard.Request {
        FatigueGuard.Request(
            fingerprint: fingerprint, title: title.line, amount: fields["amount"],
            shape: (html ? ["html"] : []) + fields.keys.sorted())
    }
}
