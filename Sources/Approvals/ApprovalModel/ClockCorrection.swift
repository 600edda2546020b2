import Basics
package import FoundationEssentials

/// How far a signature may follow the bank's clock instead of ours (decision 15). The
/// limit is needed because the bank's time comes from an unsigned answer.
package enum ClockCorrection {
    /// In seconds. A greater correction would let a bank obtain a signature that is valid for years.
    static let most = 600.0

    /// The seconds from our clock to the bank's clock in the error; nil if the error has none. Throws `clocksDiffer` if
    /// they are more than ten minutes.
    package static func seconds(told error: BankError, at now: Date) throws(BankError) -> Int? {
        guard let bankTime = error.bankTime else { return nil }
        let difference = bankTime.timeIntervalSince(now).rounded()
        guard abs(difference) <= most else {
            throw BankError(
                .clocksDiffer,
                "the bank's clock says \(Timestamp.format(bankTime)), which is more than ten minutes from ours",
                errorClass: error.errorClass, bankMessage: error.bankMessage, status: error.status, bankTime: bankTime)
        }
        return Int(difference)
    }
}
