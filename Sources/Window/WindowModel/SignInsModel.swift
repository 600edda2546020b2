package import Basics
package import Dialogue
import Display
import FoundationEssentials
package import SessionModel
package import Sessions

/// All that the tab of sign-ins shows.
package struct SignInsContent: Sendable, Equatable {
    package let sessions: [SessionPayload]
    package let sites: [SitePayload]
    package let grants: [GrantPayload]

    package init(sessions: [SessionPayload], sites: [SitePayload], grants: [GrantPayload]) {
        (self.sessions, self.sites, self.grants) = (sessions, sites, grants)
    }
}

/// An event of the tab of sign-ins.
package enum SignInsEvent: Sendable {
    case loaded(Result<SignInsContent, Failure>)
    case learned(SessionDetailsPayload)
    /// The end of a call of the agent.
    case done(SignInsEffect, Failure?)

    /// A question of the login that is under way.
    case asked(Ask)

    /// Opens the session of this name.
    case open(String)
    /// Signs in, at an issuer that the person names.
    case signIn
    case rename
    /// Another time for the sign-out.
    case setEnd
    case keep
    case signOut
}

/// A task from the tab of sign-ins.
package enum SignInsEffect: Sendable, Equatable {
    case load
    case learn(String)
    case rename(String, SessionName)
    case setSignOut(String, SignOutChange)
    case signOut(String)
    /// Sign in at the issuer or service with this address.
    case signIn(String)
    case answer(Answer)
    /// End the login that is under way.
    case endSignIn
}

/// The tab of sign-ins: sessions and sites, one session, and the questions before a change.
struct SignInsModel: Sendable {
    private enum Asking: Sendable {
        case name
        case end
        case sooner(SignOutChange, Question)
        /// The PIN, for a change that the agent does not make without it.
        case stay(SignOutChange)
        case signOut
        case issuer
        /// A login is under way; the question that is open.
        case login(Question?)

        /// Whether it is about the session whose page is open.
        var needsSession: Bool {
            switch self {
            case .name, .end, .sooner, .stay, .signOut: true
            case .issuer, .login: false
            }
        }
    }

    private enum Phase: Sendable {
        case loading
        case failed(Failure)
        case loaded(SignInsContent)
    }

    private var phase = Phase.loading
    /// The name of the session whose page is open.
    private var chosen: String?
    private var details: SessionDetailsPayload?
    private var asking: Asking?
    private var doing: SignInsEffect?
    private var trouble: Failure?

    private var content: SignInsContent? { if case .loaded(let content) = phase { content } else { nil } }
    private var session: SessionPayload? { content?.sessions.first { $0.name == chosen } }

    // MARK: Events

    mutating func renew() -> [WindowEffect] { [.signIns(.load)] }

    mutating func back() -> [WindowEffect] {
        if case .login = asking { return [.use, .signIns(.endSignIn)] }
        guard doing == nil else { return [] }
        trouble = nil
        if asking != nil { asking = nil } else { (chosen, details) = (nil, nil) }
        return []
    }

    mutating func leave() {
        guard doing == nil else { return }
        (asking, chosen, details, trouble) = (nil, nil, nil, nil)
    }

    mutating func take(_ event: SignInsEvent) -> [WindowEffect] {
        switch event {
        case .loaded(.success(let content)):
            phase = .loaded(content)
            if doing == nil, chosen != nil, session == nil { (chosen, asking, details) = (nil, nil, nil) }
        case .loaded(.failure(let failure)): if case .loading = phase { phase = .failed(failure) }
        case .learned(let learned): if learned.session.name == chosen { details = learned }
        case .done(let effect, let failure): return done(effect, failure)
        case .open(let name):
            guard content?.sessions.contains(where: { $0.name == name }) == true else { return [] }
            chosen = name
            return [.use, .signIns(.learn(name))]
        case .rename: ask(.name)
        case .setEnd: ask(.end)
        case .keep:
            guard let session, let change = try? SignOutChange(until: nil, keep: !session.keep) else { return [] }
            return set(change)
        case .signOut: ask(.signOut)
        case .signIn: ask(.issuer)
        case .asked(let ask):
            guard case .login = asking, case .yesNo(let question) = ask else { return [.signIns(.answer(.no))] }
            asking = .login(question)
        }
        return []
    }

    private mutating func ask(_ question: Asking) {
        guard session != nil || !question.needsSession, doing == nil else { return }
        (asking, trouble) = (question, nil)
    }

    private mutating func begin(_ effect: SignInsEffect, pin: (any Secret)? = nil) -> [WindowEffect] {
        (doing, trouble) = (effect, nil)
        return [.use, .signIns(effect, pin: pin)]
    }

    mutating func answer(_ answer: Answer) -> [WindowEffect] {
        switch (asking, answer) {
        case (.login(nil), _): return [.use, .signIns(.endSignIn)]
        case (.login, _):
            asking = .login(nil)
            return [.use, .signIns(.answer(answer))]
        case (.issuer, .typed(let text)) where doing == nil:
            asking = .login(nil)
            return begin(.signIn(text))
        default: break
        }
        guard let session, let asking, doing == nil else {
            if doing == nil { self.asking = nil }
            return []
        }
        switch (asking, answer) {
        case (.name, .typed(let text)):
            guard let name = SessionName(text) else {
                trouble = .badSessionName
                return []
            }
            return begin(.rename(session.name, name))
        case (.end, .typed(let text)):
            guard let rule = SignOutRule(text), let change = try? SignOutChange(until: rule, keep: nil) else {
                trouble = .badSignOut
                return []
            }
            return set(change)
        case (.sooner(let change, _), .yes): return begin(.setSignOut(session.name, change))
        case (.signOut, .yes): return begin(.signOut(session.name))
        default:
            self.asking = nil
            return []
        }
    }

    private mutating func set(_ change: SignOutChange) -> [WindowEffect] {
        guard let session, doing == nil else { return [] }
        if let question = Question.signOut(of: session, sooner: change, at: nil) {
            asking = .sooner(change, question)
            return []
        }
        return begin(.setSignOut(session.name, change))
    }

    mutating func prove(_ pin: any Secret) -> [WindowEffect] {
        guard case .stay(let change) = asking, let session, doing == nil else {
            pin.wipe()
            return []
        }
        return begin(.setSignOut(session.name, change), pin: pin)
    }

    private mutating func done(_ effect: SignInsEffect, _ failure: Failure?) -> [WindowEffect] {
        guard doing == effect else { return [] }
        doing = nil
        if case .setSignOut(_, let change) = effect, failure == .takesPIN {
            asking = .stay(change)
            return []
        }
        trouble = failure
        if case .signIn = effect {
            // A wrong address can be mended; what the person ended is no trouble.
            if failure == .cancelled { trouble = nil }
            asking = failure?.kind == .usage ? .issuer : nil
            return [.signIns(.load)]
        }
        if let failure {
            if asking == nil || !failure.mayTryAgain, case .stay = asking { asking = nil }
            return [.signIns(.load)]
        }
        asking = nil
        switch effect {
        case .rename(_, let name): chosen = name.text
        case .signOut: (chosen, details) = (nil, nil)
        case .setSignOut, .load, .learn, .signIn, .answer, .endSignIn: break
        }
        return [.signIns(.load)] + (chosen.map { [.signIns(.learn($0))] } ?? [])
    }

    // MARK: The screen

    func screen() -> Screen {
        guard let content else {
            if case .failed(let failure) = phase {
                return .signIns(Screen.SignIns(trouble: Screen.Trouble(failure), isLoaded: false))
            }
            return .signIns(Screen.SignIns(isLoaded: false))
        }
        if let asking, session != nil || !asking.needsSession { return .ask(question(asking, session, content)) }
        guard let session else {
            return .signIns(
                Screen.SignIns(
                    rows: content.sessions.map(Screen.SignIns.Row.init),
                    sites: content.sites.map {
                        .init(
                            id: $0.id, name: $0.rule,
                            words: "gets tokens of \(shown($0.session))"
                                + ($0.onChallenge ? ", only when it asks for one" : ""))
                    }, trouble: trouble.map(Screen.Trouble.init), isLoaded: true))
        }
        return .session(page(session, content))
    }

    private func question(_ asking: Asking, _ session: SessionPayload?, _ content: SignInsContent) -> Screen.AskPage {
        let words = trouble.map { Sentence.of($0.message) + ($0.hint.map { " " + Sentence.of($0) } ?? "") }
        switch asking {
        case .name:
            return Screen.AskPage(
                title: "Rename", headline: "A name for this sign-in", above: ["a-z, 0-9 and -, at most 32 characters."],
                input: .text(name: "Name"), prompt: "New name", ok: "Rename", trouble: words, isBusy: doing != nil)
        case .end:
            return Screen.AskPage(
                title: "Sign out", headline: "When to sign out",
                above: ["A time such as 8h, a time of day such as 18:00, or never."], input: .text(name: "Until"),
                prompt: "Until", ok: "Continue", trouble: words, isBusy: doing != nil)
        case .sooner(_, let question):
            return Screen.AskPage(title: "Sign out", question, trouble: words, isBusy: doing != nil)
        case .stay(let change):
            let act = Granting.stay(change.facts(of: session?.name ?? ""))
            return Screen.AskPage(
                title: "Stay signed in", headline: act.words.headline.description, facts: act.facts.map { .init($0) },
                input: .pin, prompt: act.words.prompt, ok: act.words.ok.description, trouble: words,
                isBusy: doing != nil)
        case .signOut:
            let question = Question.signOut(
                of: session.map { [$0] } ?? [], content.grants, content.sites, localOnly: false)
            return Screen.AskPage(title: "Sign out", question, trouble: words, isBusy: doing != nil)
        case .issuer:
            return Screen.AskPage(
                title: "Sign in", headline: "Where do you want to sign in?",
                above: ["The address of an issuer, or of a service that names its issuer. Nothing is made there yet."],
                input: .text(name: "Link"), prompt: "Address", ok: "Continue", trouble: words)
        case .login(let question?):
            return Screen.AskPage(title: "Sign in", question, isGrave: false)
        case .login(nil):
            return Screen.AskPage(
                title: "Sign in", headline: "Waiting for the issuer",
                above: ["Its page opens in your browser. Your password stays there."], cancel: "Cancel", isBusy: true)
        }
    }

    private func page(_ session: SessionPayload, _ content: SignInsContent) -> Screen.SessionPage {
        var profile: [Screen.AskPage.Line] = []
        func add(_ label: String, _ value: String?) {
            if let value, !value.isEmpty { profile.append(.init(label: label, value: shown(value))) }
        }
        let known = details?.session.name == session.name ? details : nil
        add("Account", session.account)
        add("Email", known?.profile?.email)
        add("Proven", session.authenticatedAt.map { LocalTime.full($0.date) })
        add("Strength", session.acr)
        add("Proven by", known?.amr.joined(separator: " "))
        add("Issuer", session.issuer)
        add("Status", session.state)
        add("Scopes", session.scopes.isEmpty ? "none" : session.scopes.joined(separator: " "))
        let sites = content.sites.filter { $0.session == session.name }.map {
            Screen.SignIns.Site(id: $0.id, name: shown($0.rule), words: "gets tokens of this sign-in")
        }
        let programs = content.grants.filter { $0.session == session.name && $0.status != .over }.map {
            Screen.SignIns.Site(id: $0.id, name: shown($0.program.text), words: "may have tokens of this sign-in")
        }
        return Screen.SessionPage(
            name: session.name, headline: shown(known?.profile?.name ?? session.account ?? session.name),
            host: session.host, profile: profile,
            services: session.resources.map { .init(id: session.name, name: shown($0), words: "") }, sites: sites,
            programs: programs, isKept: session.keep, trouble: trouble.map(Screen.Trouble.init), isBusy: doing != nil)
    }
}

extension SessionPayload {
    /// The status in words.
    fileprivate var state: String {
        switch reason {
        case nil:
            (refreshable
                ? "renews by itself" : "active" + (expiresAt.map { " until \(LocalTime.full($0.date))" } ?? ""))
                + (signOutAt.map { ", signs out \(LocalTime.full($0.date))" } ?? (keep ? ", stays signed in" : ""))
                + (saved ? "" : ", not on the disk")
        case .ranOut: "ended: ran out"
        case .unusableAnswer: "not renewed: the issuer's last answer could not be used"
        case .ended(.timeOver): "signed out: its time was over"
        case .ended(.left): "signed out: you had left"
        case .ended(.rejected): "ended: no longer accepted"
        case .ended(.interrupted): "ended: interrupted"
        case .ended(.changed): "ended: of somebody else"
        case .ended(.damaged): "ended: its tokens cannot be read"
        case .ended(.signedOut): "signed out"
        }
    }
}

extension Screen.SignIns.Row {
    init(_ session: SessionPayload) {
        self.init(
            name: session.name, title: shown(session.account ?? session.name), host: session.host,
            state: session.state)
    }
}
