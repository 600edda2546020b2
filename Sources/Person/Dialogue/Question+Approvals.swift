package import Approvals
package import Display
import ApprovalModel

// Questions of the first job besides those of one decision.

extension Question {
    /// Asks for the PIN that unlocks.
    package static let unlockWords = "Enter your PIN to open your bank connections"

    /// Whether an action is claimed for this connection.
    static func claim(for connection: ConnectionPayload) -> Question {
        let bank = DisplayText(answered: connection.bank)
        let host = DisplayText(answered: connection.host)
        let warning = "this may sign in whoever shows the code; go on only if your own page shows it"
        return Question(
            [
                "warning: " + warning,
                "\(host.line) (\(bank.line(within: 60))): claim this action for \(connection.name)?",
            ], unasked: "there is nobody to confirm this action", headline: "Claim this action for this connection?",
            [
                Fact("Host", host), Fact("Bank", bank, isShort: true),
                Fact("Connection", DisplayText(answered: connection.name)), Fact(DisplayText("Warning: " + warning)),
            ], ok: "Claim")
    }

    /// Whether a bank may be called to which a clicked link leads.
    package static func call(_ host: DisplayText, _ asker: DisplayText) -> Question {
        let words = "\(host.line) is where this link leads, and nothing was sent there yet."
        return Question(
            [words + " Go on?"], unasked: words.dropLast() + ": there is nobody to confirm it",
            headline: "Connect to the bank at this host?",
            [Fact("Host", host), Fact(DisplayText("Nothing was sent there yet.")), Fact(asker)], ok: "Go on")
    }

    /// Whether another program may do this without the PIN. `change`: the act, in our own words and names.
    package static func foreign(_ change: String, _ asker: DisplayText) -> Question {
        Question(
            ["It \(change). Go on?"],
            unasked: "another program may not do this without a yes, and there is nowhere to ask for it",
            headline: "May another program do this?", [Fact(DisplayText("It \(change)")), Fact(asker)], ok: "Yes")
    }

    /// Whether a connection is destroyed.
    package static func revoke(_ connection: ConnectionPayload, localOnly: Bool) -> Question {
        let bank = DisplayText(answered: connection.bank)
        let host = DisplayText(answered: connection.host)
        let telling = localOnly ? "without telling the bank" : "and tell the bank"
        return Question(
            [
                "\(host.line) (\(bank.line(within: 60))): destroy key, token and record of \(connection.name) here, \(telling)?"
            ], headline: "Disconnect this bank?",
            [
                Fact("Host", host), Fact("Bank", bank, isShort: true),
                Fact(DisplayText("Key, token and record of \(connection.name) are destroyed here; its history stays.")),
                Fact(
                    DisplayText(
                        localOnly ? "The bank is not told: remove this device there, too." : "The bank is told first.")),
            ], ok: "Disconnect")
    }

    /// Whether a third party's access is ended at the bank.
    package static func revoke(_ consent: ConsentPayload) -> Question {
        let party = DisplayText(answered: consent.thirdParty)
        return Question(
            ["\(party.line(within: 60)): end its access at \(consent.connection)?"],
            headline: "End this access?",
            [
                Fact("Third party", party, isShort: true),
                Fact("Connection", DisplayText(answered: consent.connection)),
                Fact(DisplayText("The bank is told now, and gives it nothing more.")),
            ], ok: "Revoke")
    }

    /// Whether the connection is destroyed at which somebody else began a request.
    static func disconnect(_ name: ConnectionName) -> Question {
        Question(
            ["Disconnect \(name.text) too? Then its bank can ask nothing here until you connect it again."],
            headline: "Disconnect this bank too?", [Fact("Connection", DisplayText(name.text))], ok: "Disconnect")
    }

    /// Whether the page is opened to which an approved request leads back. It comes from an unsigned link.
    package static func open(_ page: DisplayText) -> Question {
        Question(
            ["Open \(page.line) in the browser?"], headline: "Open this page in the browser?", [Fact("Page", page)],
            ok: "Open")
    }
}
