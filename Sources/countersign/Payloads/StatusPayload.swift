import Display
import FoundationEssentials
import SCA

/// `status`, and every `pin` command.
struct StatusPayload: Payload {
    struct Agent: Encodable {
        var running: Bool
        @OrNull var version: String?
    }

    var locked: Bool
    var pinSet: Bool
    var triesLeft: Int
    @OrNull var blockedUntil: String?
    var keysInMemory: Bool
    var agent: Agent

    private let blockedFor: Int?

    init(_ status: PINStatus, now: Date) {
        locked = true
        pinSet = status.isSet
        triesLeft = status.triesLeft
        blockedFor = status.blockedFor
        blockedUntil = status.blockedFor.map { Timestamp.format(now.addingTimeInterval(Double($0))) }
        keysInMemory = false
        agent = Agent(running: false, version: nil)
    }

    private enum CodingKeys: String, CodingKey {
        case locked, pinSet, triesLeft, blockedUntil, keysInMemory, agent
    }

    var ids: [String] { [] }

    func text(_ style: Style) -> String {
        guard pinSet else { return "No PIN is set. Choose one with: countersign pin set" }
        var lines = ["PIN set, \(triesLeft) \(triesLeft == 1 ? "try" : "tries") left"]
        if let blockedFor { lines.append("blocked for another \(Failure.duration(blockedFor))") }
        lines.append("locked; no agent is running, so each command asks for the PIN")
        return lines.joined(separator: "\n")
    }
}

/// `doctor`
struct DoctorPayload: Payload {
    struct Check: Encodable {
        var name: String
        var ok: Bool
        var message: String
        @OrNull var hint: String?
    }

    var checks: [Check]

    var ids: [String] { checks.filter { !$0.ok }.map(\.name) }

    func text(_ style: Style) -> String {
        checks.map { check in
            "\(check.ok ? "ok   " : "WRONG")  \(check.name): \(check.message)"
                + (check.hint.map { "\n       hint: \($0)" } ?? "")
        }.joined(separator: "\n")
    }
}
