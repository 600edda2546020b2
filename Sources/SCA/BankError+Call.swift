public import Basics

extension BankError {
    /// What the end of a call without a whole answer means for the bank that was called.
    public init(_ error: CallError) {
        switch error {
        case .unreachable(let reason, let certificate):
            self.init(.unreachable, reason)
            self.certificate = certificate
        case .noAnswer(let reason): self.init(.noAnswer, reason)
        case .tooLarge(let reason, let status, let serverTime):
            self.init(.tooLarge, reason, status: status, bankTime: serverTime)
        }
    }
}
