import Client
import Approvals
import Basics
import Desktop
import Display
import LocalSocket
import Pinentry
import Web

/// Shows on the desktop how a program ended that a click started, because nobody reads its standard error.
struct ClickOutcome {
    private let options: GlobalOptions
    /// Whether a person sits at a display, and neither a terminal nor a script gets the result already.
    private let isWanted: Bool

    init(_ options: GlobalOptions) {
        self.options = options
        isWanted =
            !Terminal(noInput: options.noInput).isInteractive && Pinentry.hasDisplay(Environment.all)
            && !options.noInput && !options.json && !options.quiet
    }

    /// Runs `body` when it is this link's turn. A link that nobody clicked needs none. Throws a failure of the kind `cancelled` if the same
    /// link or too many others are open.
    func inTurn(of link: String, _ kind: ClickTurn.Kind, _ body: () async throws -> Void) async throws {
        guard isWanted, let turn = try await turn(of: link, kind) else { return try await body() }
        do {
            try await body()
        } catch {
            await end(turn)
            throw error
        }
        await end(turn)
    }

    /// Nil if links cannot take turns here, since their files cannot be used: then each is opened at once.
    private func turn(of link: String, _ kind: ClickTurn.Kind) async throws -> ClickTurn? {
        do {
            return try await ClickTurn.take(for: link, kind, in: RedirectPlace(options, for: .enrollment))
        } catch let failure as Failure where failure.kind == .cancelled {
            throw failure
        } catch {
            return nil
        }
    }

    private func end(_ turn: ClickTurn) async {
        let refused = turn.refused()
        if refused > 0 {
            await tell(
                DisplayText("Links that were not opened: \(refused)"),
                [DisplayText("More links were clicked than can wait for you. Click again those that you want to open.")]
            )
        }
        turn.end()
    }

    func tell(_ failure: Failure) async {
        await tell(
            DisplayText("Countersign could not use this link"),
            [failure.message, failure.hint].compactMap { $0 }.map { DisplayText(answered: $0) })
    }

    /// Names the bank's page, which no browser opened. `lead` leads there on this computer as long as the enrollment
    /// waits for the page, so the desktop may keep it; if nothing leads there, only a window shows the page's own
    /// address. Returns when the note or window is closed: the note is taken back at the latest when its address leads nowhere.
    func tell(page: PageAddress, lead: PageAddress?, _ cancellation: PinentryCancellation) async {
        await tell(
            DisplayText("Open the bank's page yourself"),
            [
                DisplayText((lead ?? page).text),
                DisplayText("No browser came up by itself. The bank signs you in there, and Countersign waits for it."),
            ], inWindow: lead == nil, isOurs: true, isTakenBack: true, cancellation)
    }

    /// A code to type at the other side is shown in a window alone, because desktops keep the text of notifications.
    func tell(_ decision: DecisionPayload, _ failure: Failure) async {
        let lines =
            decision.text.split(separator: "\n").map(String.init)
            + [failure.message, failure.hint].compactMap { $0 }
        await tell(
            DisplayText("Not approved"), lines.map { DisplayText(answered: $0) }, inWindow: decision.code != nil)
    }

    /// Shows a notification or, if that fails, a window. If there is neither, standard error has the message. `isOurs`: all words in a
    /// notification are ours, so an address there stays whole. `isTakenBack`: a notification stays until the cancellation.
    func tell(
        _ summary: DisplayText, _ body: [DisplayText], inWindow: Bool = false, isOurs: Bool = false,
        isTakenBack: Bool = false,
        _ cancellation: PinentryCancellation = PinentryCancellation()
    ) async {
        guard isWanted else { return }
        // Sent without our desktop file: desktops remove the notes of an application when it ends.
        let notifier = Notifier(bus: DesktopBus(), icon: OwnFiles.icon)
        let note = Note(summary: summary, body: body, actions: [], isOurs: isOurs)
        if !inWindow, !cancellation.isCancelled, await notifier.show(key: "link", note: note) {
            guard isTakenBack else { return }
            while !cancellation.isCancelled { try? await Task.sleep(for: .milliseconds(200)) }
            return await notifier.close(key: "link")
        }
        let settings = (try? Settings.load()) ?? Settings()
        guard settings.pinPrompt != .terminal else { return }
        let pinentry = Pinentry(program: settings.pinentry, environment: Environment.all, tty: nil)
        try? await blocking {
            try pinentry.message(
                PinentryQuestion("The link that you opened:", details: [summary] + body), cancellation: cancellation)
        }
    }
}
