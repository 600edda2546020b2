import Approvals
import Basics
import Display
import FoundationEssentials

extension StatusPayload: Payload {
    var ids: [String] { [] }

    func text(_ style: Style) -> String { words() }

    /// `missesRequests`: the home has connections, and the agent asks no bank.
    func words(missesRequests: Bool = false) -> String {
        guard pinSet else { return "No PIN is set. Choose one with: countersign pin set" }
        var lines = ["PIN set, \(triesLeft) \(triesLeft == 1 ? "try" : "tries") left"]
        if let until = blockedUntil?.date {
            let seconds = max(1, Int(until.timeIntervalSince(Date()).rounded(.up)))
            lines.append("blocked for another \(Failure.duration(seconds))")
        }
        lines.append(state + (missesRequests ? ": \(Self.unaskedWords); open it with: countersign unlock" : ""))
        if let damaged { lines.append("\(damaged); countersign doctor says more") }
        if let waiting { lines.append(Self.words(waiting: waiting)) }
        if let count = endedConnections {
            lines.append(
                count == 1
                    ? "1 connection is no longer known to its bank; which one: countersign pending"
                    : "\(count) connections are no longer known to their banks; which ones: countersign pending")
        }
        if let version = agent.version, version != ProductVersion.text {
            lines.append(
                "the agent is of version \(version) and not used; replace it with: countersign agent --daemonize")
        }
        return lines.joined(separator: "\n")
    }

    /// How many requests wait, as a line of its own.
    static func words(waiting: Int) -> String {
        switch waiting {
        case 0: "nothing waits"
        case 1: "1 request waits for your decision"
        default: "\(waiting) requests wait for your decision"
        }
    }

    private var state: String {
        guard agent.running else { return "locked; no agent is running, so each command asks for the PIN" }
        if !locked { return "unlocked; the agent asks the banks" }
        return keysInMemory
            ? "locked; the agent keeps the keys in memory and goes on asking the banks, but shows nothing before the PIN"
            : "locked; the agent holds nothing and asks no bank"
    }
}
