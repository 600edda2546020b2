import AgentWire
import Approvals
import Basics
import CWindow
import Client
import Desktop
import Dialogue
import FoundationEssentials
import Keys
import Synchronization
import WindowModel

/// References, for tasks that go on beside the main thread.
private final class GivenUp: Sendable {
    private let references = Mutex<Set<String>>([])

    func insert(_ reference: String) { references.withLock { _ = $0.insert(reference) } }
    func remove(_ reference: String) { references.withLock { _ = $0.remove(reference) } }
    func contains(_ reference: String) -> Bool { references.withLock { $0.contains(reference) } }
}

/// Hands events to the model, carries out its effects by the agent, and draws its screen. A call to the agent waits on
/// a thread of its own; its result comes back to the main thread.
@MainActor
final class Conductor {
    private var model = WindowModel()
    private(set) var window: MainWindow?
    private(set) var agent: RunningAgent?
    let enrolling = Enrolling()
    private var willDraw = false
    let login = SigningIn()
    private var following: Task<Void, Never>?
    /// The PIN that was chosen just now, until the agent has it.
    private var firstPIN: (any Secret)?
    private var fatigue = FatigueGuard()
    /// The references of requests whose outcome nobody waits for any more.
    private let givenUp = GivenUp()
    private let clock = Clock(now: { Date() }, boot: { nil })

    /// Shows the window, and makes it first. Starting the program again only shows it, and begins the action that it was started with.
    func show(_ action: WindowApplication.Action?, _ text: String) {
        switch action {
        case .review: take(.review(text))
        case nil: break
        }
        if window == nil {
            window = MainWindow { [weak self] in
                self?.take($0)
            } closed: { [weak self] in
                self?.window = nil
            }
            take(.connect)
            tick()
        }
        window?.present()
    }

    /// The time left is drawn each second.
    private func tick() {
        after(.seconds(1)) { [weak self] in
            guard let self, window != nil else { return }
            take(.tick)
            tick()
        }
    }

    func take(_ event: WindowEvent) {
        let effects = model.take(event, at: clock.now(), clock.moment())
        switch event {
        // A list is drawn once for all; a page that takes answers is never older than the content that they would be for.
        case .heard(let heard) where isListed: if case .locked = heard.kind { draw() } else { drawSoon() }
        default: draw()
        }
        for effect in effects { perform(effect) }
    }

    private var isListed: Bool {
        if case .requests = model.screen(at: clock.now(), clock.moment()) { true } else { false }
    }

    private func draw() { window?.draw(model.screen(at: clock.now(), clock.moment()), in: model.tab) }

    /// Draws once for all events that come together, as at the start, when each waiting request is one.
    private func drawSoon() {
        guard !willDraw else { return }
        willDraw = true
        after(.milliseconds(20)) { [weak self] in
            self?.willDraw = false
            self?.draw()
        }
    }

    // MARK: Effects

    private func perform(_ effect: WindowEffect) {
        switch effect {
        case .connect: connect()
        case .wake(let moment): after(max(moment - clock.moment(), .zero)) { [weak self] in self?.take(.tick) }
        case .unlock(let pin):
            call { agent in
                defer { pin.wipe() }
                try await agent.unlock(.typed(pin, from: .person))
                return nil
            } failed: {
                .unlockFailed($0)
            }
        case .setPIN(let pin):
            own(["pin", "set", "--pin-file", "-"], lines: [pin]) { [weak self] in
                self?.firstPIN = pin
                self?.take(.connect)
            } failed: { [weak self] in
                self?.take(.unlockFailed($0))
            }
        case .reset:
            own(["pin", "reset", "--yes"]) { [weak self] in
                self?.take(.connect)
            } failed: { [weak self] in
                self?.take(.settings(.ended($0)))
            }
        case .changePIN(let old, let new):
            own(["pin", "change", "--pin-file", "-"], lines: [old, new]) { [weak self] in
                for pin in [old, new] { pin.wipe() }
                self?.take(.settings(.ended(nil)))
            } failed: { [weak self] in
                self?.take(.settings(.ended($0)))
            }
        case .examine:
            Task {
                do { take(.findings(try await OwnCommand.findings())) } catch {
                    let failure = Failure(error)
                    take(.findings([Finding("secret-service", isGood: false, failure.message, hint: failure.hint)]))
                }
            }
        case .learnStatus:
            call {
                .status(try await $0.own.perform(AgentVerbs.status))
            } failed: { _ in
                nil
            }
        case .lock:
            call { agent in
                try await agent.lock()
                return nil
            } failed: {
                .disconnected($0)
            }
        case .showAbout: window?.showAbout()
        case .use:
            call { agent in
                try await agent.approvals.use()
                return nil
            } failed: { _ in
                nil
            }
        case .fetch(let reference):
            call { agent in
                let card = try await agent.approvals.perform(
                    ApprovalVerbs.authorization, on: reference, CardOptions())
                return .fetched(card)
            } failed: { _ in
                nil
            }
        case .fetchSource(let reference):
            call { agent in
                let card = try await agent.approvals.perform(
                    ApprovalVerbs.authorization, on: reference, CardOptions(withSource: true))
                return .sourced(card)
            } failed: { _ in
                nil
            }
        case .askBanks:
            call { agent in
                _ = try await agent.approvals.perform(ApprovalVerbs.pending, PendingRequest(connection: nil))
                return .askedBanks
            } failed: { _ in
                .askedBanks
            }
        case .revoke(let name):
            call { agent in
                _ = try await agent.approvals.perform(
                    ApprovalVerbs.revoke, on: name.text, RevokeOptions(localOnly: false))
                return .revoked(name, nil)
            } failed: {
                .revoked(name, $0)
            }
        case .history(let effect): perform(effect)
        case .signIns(let effect, let pin): perform(effect, pin)
        case .programs(let effect, let pin): perform(effect, pin)
        case .learnPast(let card): learnPast(of: card)
        case .bank(let effect): perform(effect)
        case .giveUp(let reference): givenUp.insert(reference)
        case .decide(let verdict, let request, let pin):
            givenUp.remove(request.ref)
            let isGivenUp: @Sendable () -> Bool = { [givenUp] in givenUp.contains(request.ref) }
            call { agent in
                defer { pin?.wipe() }
                let approvals = agent.approvals
                let decision: DecisionPayload
                switch verdict {
                case .approve:
                    guard let pin else { throw Failure(.internal, "an approval takes a PIN") }
                    decision = try await approvals.approve(request, pin: pin, from: .person, isGivenUp: isGivenUp)
                case .deny:
                    decision = try await approvals.deny(request, pin: pin, from: .person, isGivenUp: isGivenUp)
                }
                return .decided(verdict, request, .success(decision))
            } failed: {
                .decided(verdict, request, .failure($0))
            }
        }
    }

    /// Runs our own command, and takes its failure.
    private func own(
        _ arguments: [String], lines: [any Secret] = [], then: @escaping @MainActor () -> Void,
        failed: @escaping @MainActor (Failure) -> Void
    ) {
        Task {
            do {
                try await OwnCommand.done(arguments, lines: lines)
                then()
            } catch {
                for line in lines { line.wipe() }
                failed(Failure(error))
            }
        }
    }

    /// Runs a call to the agent, and takes its event, or the one of its failure.
    func call(
        _ body: @escaping @Sendable (RunningAgent) async throws -> WindowEvent?,
        failed: @escaping @Sendable (Failure) -> WindowEvent?
    ) {
        guard let agent else { return }
        Task {
            let event: WindowEvent?
            do { event = try await body(agent) } catch { event = failed(Failure(error)) }
            if let event { take(event) }
        }
    }

    private func learnPast(of card: Card) {
        guard let agent else { return }
        Task {
            let entries = await agent.approvals.entries(about: card, by: clock)
            take(.past(DecisionPast(of: card, entries, &fatigue, by: clock), of: card.fingerprint.hex))
        }
    }

    // MARK: The agent

    private func connect() {
        following?.cancel()
        // Only for this attempt: whoever tries again later must know the PIN.
        let first = firstPIN
        firstPIN = nil
        following = Task {
            defer { first?.wipe() }
            var wasConnected = false
            do {
                let found = try await AgentSearch.agent()
                guard found.handshake.vault != nil else { return take(.noPIN) }
                let events = try await found.approvals.events()
                agent = found
                wasConnected = true
                take(.connected(isOpen: found.handshake.state == .open, waiting: found.handshake.waiting))
                if let first { take(.unlock(first)) }
                for try await event in events { take(.heard(event)) }
            } catch {
                guard !Task.isCancelled else { return }
                // No content without an agent, at once.
                if wasConnected { take(.disconnected(Failure(error))) }
                // Without a PIN there may be no agent.
                let isSet = try? await OwnCommand.status().pinSet
                guard !Task.isCancelled else { return }
                if isSet == false { take(.noPIN) } else if !wasConnected { take(.disconnected(Failure(error))) }
            }
        }
    }
}
