import Basics
public import FoundationEssentials

/// How far a signature follows a bank's clock instead of ours (design, "What you see is all that you sign"). A bank names its time
/// in an answer that nobody signed.
public enum ClockCorrection {
    /// Seconds. By more, a bank could have us sign what stays valid for years.
    static let most = 600.0

    /// The seconds from our clock to the bank's, which an error told; nil where it told none. Throws `clocksDiffer` where they are
    /// too many.
    public static func seconds(told error: BankError, at now: Date) throws(BankError) -> Int? {
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
