package import Basics

/// The settings: doctor's judgement, another PIN, and the end of everything.
struct SettingsModel: Sendable {
    private enum Page: Sendable {
        case overview
        case changing
        case removing
    }

    private var page = Page.overview
    private var findings: [Finding]?
    private var trouble: Failure?
    private var isBusy = false

    mutating func take(_ event: SettingsEvent) -> [WindowEffect] {
        switch event {
        case .open: break
        case .changePIN where !isBusy: (page, trouble) = (.changing, nil)
        case .remove where !isBusy: (page, trouble) = (.removing, nil)
        case .change(let old, let new):
            guard case .changing = page, !isBusy else {
                old.wipe()
                new.wipe()
                return []
            }
            (isBusy, trouble) = (true, nil)
            return [.changePIN(from: old, to: new)]
        case .ended(let failure): (isBusy, trouble) = (false, failure)
        case .changePIN, .remove: break
        }
        return []
    }

    mutating func take(_ findings: [Finding]) { self.findings = findings }

    mutating func confirm(_ text: String) -> [WindowEffect] {
        guard case .removing = page, !isBusy, text == Removal.words else { return [] }
        (isBusy, trouble) = (true, nil)
        return [.reset]
    }

    /// Returns false if this leads out of the settings.
    mutating func back() -> Bool {
        if case .overview = page { return false }
        if !isBusy { (page, trouble) = (.overview, nil) }
        return true
    }

    var screen: Screen {
        let trouble = trouble.map { Screen.Trouble($0) }
        return switch page {
        case .overview: .settings(Screen.Settings(findings: findings, trouble: trouble))
        case .changing: .changePIN(Screen.ChangePIN(trouble: trouble, isBusy: isBusy))
        case .removing:
            .asking(
                Removal.asking(
                    "Remove everything", "Everything of Countersign on this computer goes", trouble, isBusy: isBusy))
        }
    }
}

/// An event of the settings.
package enum SettingsEvent: Sendable {
    case open
    /// Goes to the page with the entries for another PIN.
    case changePIN
    case change(any Secret, to: any Secret)
    case remove
    /// The change or the removal failed; nil if it is done.
    case ended(Failure?)
}

/// The question before everything is destroyed.
enum Removal {
    /// To be typed before it.
    static let words = "destroy my keys"

    static func asking(
        _ title: String, _ headline: String, _ trouble: Screen.Trouble?, isBusy: Bool
    ) -> Screen.Asking {
        Screen.Asking(
            tab: nil, title: title, headline: headline,
            lines: [
                Screen.Line("The keys of all banks", "Connect them again by new codes."),
                Screen.Line("All sign-ins, and all that programs may have", "Sign in again."),
                Screen.Line("The history of your decisions", "Your banks keep theirs."),
                Screen.Line(nil, "Your banks are not told. Remove this device on their pages, too."),
                Screen.Line("To go on, type", words),
            ], entry: Screen.Asking.Entry(name: "Type to confirm", text: "", demanded: words), ok: "Remove everything",
            isDestructive: true, trouble: trouble, isBusy: isBusy)
    }
}
