package import Basics

extension BankError {
    /// Translates a call that ended without a whole answer into the bank's error.
    package init(_ error: CallError) {
        switch error {
        case .unreachable(let reason, let obstacle): self.init(.unreachable(obstacle), reason)
        case .noAnswer(let reason): self.init(.noAnswer, reason)
        case .tooLarge(let reason, let status, let serverTime):
            self.init(.tooLarge, reason, status: status, bankTime: serverTime)
        }
    }
}
