import Approvals
import Basics
import Display
import FoundationEssentials

/// The pages of a window that may show no content: the first PIN, the PIN, and the way back from a forgotten one.
struct OutsideModel: Sendable {
    private enum Page: Sendable {
        case welcome
        case locked
        case forgotten
    }

    private var page: Page
    private var waiting: Int?
    private var note: String?
    private var status: StatusPayload?
    private var keyring: Finding?
    private var trouble: Failure?
    private(set) var isBusy = false

    /// There is a PIN, and it was not entered.
    /// `note`: why it locked, and the next step.
    static func locked(waiting: Int? = nil, note: String? = nil) -> OutsideModel {
        var model = OutsideModel(page: .locked, waiting: waiting)
        model.note = note
        return model
    }
    static let welcome = OutsideModel(page: .welcome)

    private init(page: Page, waiting: Int? = nil) { (self.page, self.waiting) = (page, waiting) }

    /// Its first questions to the agent and to doctor.
    var wishes: [WindowEffect] { if case .welcome = page { [.examine] } else { [.learnStatus] } }

    // MARK: Events

    mutating func take(_ event: OutsideEvent, at now: Date) -> [WindowEffect] {
        switch (event, page) {
        case (.findings(let findings), _): keyring = findings.first { $0.name == Finding.keyring }
        case (.status(let status), _): self.status = status
        case (.waiting(let count), _): waiting = count
        case (.unlock(let pin), .locked) where !isBusy && blocked(at: now) == nil:
            (isBusy, trouble) = (true, nil)
            return [.unlock(pin)]
        case (.choose(let pin), .welcome) where !isBusy:
            (isBusy, trouble) = (true, nil)
            return [.setPIN(pin)]
        case (.unlock(let pin), _), (.choose(let pin), _): pin.wipe()
        case (.failed(let failure), _):
            (isBusy, trouble) = (false, failure)
            return wishes
        case (.forgotten, .locked) where !isBusy: (page, trouble) = (.forgotten, nil)
        case (.back, .forgotten) where !isBusy: (page, trouble) = (.locked, nil)
        case (.confirm(Removal.words), .forgotten) where !isBusy:
            (isBusy, trouble) = (true, nil)
            return [.reset]
        case (.forgotten, _), (.back, _), (.confirm, _): break
        }
        return []
    }

    /// A block that is over lets the next try begin.
    mutating func tick(at now: Date) -> [WindowEffect] {
        guard let until = status?.blockedUntil?.date, until <= now else { return [] }
        status = nil
        return [.learnStatus]
    }

    private func blocked(at now: Date) -> Double? {
        status?.blockedUntil.map { $0.date.timeIntervalSince(now) }.flatMap { $0 > 0 ? $0 : nil }
    }

    // MARK: The screen

    func screen(at now: Date) -> Screen {
        let trouble = trouble.map { Screen.Trouble($0) }
        switch page {
        case .welcome:
            return .welcome(
                Screen.Welcome(
                    keyring: keyring.map { Screen.Line($0.isGood ? "The keyring answers" : "The keyring", $0.words) },
                    keyringTrouble: keyring.flatMap { $0.isGood ? nil : $0.hint ?? $0.words },
                    canChoose: keyring?.isGood == true && !isBusy, isBusy: isBusy, trouble: trouble))
        case .locked:
            let left = blocked(at: now)
            let tries = status.flatMap { $0.triesLeft < 9 ? $0.triesLeft : nil }
            return .locked(
                Screen.Locked(
                    waiting: waiting.flatMap(Self.words), note: note, trouble: trouble,
                    warning: tries.map {
                        "\($0) wrong \($0 == 1 ? "PIN" : "PINs") more, and the keys of this computer are destroyed. You would connect your banks again."
                    }, block: left.map { Screen.Remaining(text: Self.clock($0), share: min($0 / 60, 1)) },
                    isBusy: isBusy))
        case .forgotten:
            return .asking(
                Removal.asking(
                    "Forgotten PIN", "Nobody can tell you the PIN. You can only begin again; this is destroyed:",
                    trouble,
                    isBusy: isBusy))
        }
    }

    private static func clock(_ seconds: Double) -> String {
        let seconds = Int(seconds.rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    private static func words(_ waiting: Int) -> String? {
        switch waiting {
        case 0: nil
        case 1: "1 request waits"
        default: "\(waiting) requests wait"
        }
    }
}

/// An event for those pages.
enum OutsideEvent: Sendable {
    case findings([Finding])
    case status(StatusPayload)
    case waiting(Int)
    case unlock(any Secret)
    /// The first PIN.
    case choose(any Secret)
    /// The PIN was not accepted, or could not be checked; or the reset failed.
    case failed(Failure)
    case forgotten
    case back
    case confirm(String)
}
