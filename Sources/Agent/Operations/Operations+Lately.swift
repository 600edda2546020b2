public import Authenticator
public import FoundationEssentials
import SCA

extension Operations {
    /// What the log knows of the guard's last minutes, by whichever command, with the moments at which it was. Empty where the
    /// log cannot be read: the decision tells of that.
    public func decidedLately(at now: Date) async -> [(entry: HistoryPayload.Entry, moment: FatigueGuard.Moment)] {
        let window = Double(FatigueGuard.repetitionWindow.components.seconds)
        let request = HistoryRequest(
            connection: nil, since: Timestamp.format(now - window), limit: nil, isVerified: false)
        let moment = FatigueGuard.Moment.now
        return ((try? await history(request))?.decisions ?? []).compactMap { entry in
            guard let at = Timestamp.parse(entry.at) else { return nil }
            return (entry, moment - .seconds(max(0, now.timeIntervalSince(at))))
        }
    }
}
