package import Basics
import Dialogue
import Display
import FoundationEssentials
package import Sessions

/// All that the tab of programs shows.
package struct ProgramsContent: Sendable, Equatable {
    package let requests: [RequestPayload]
    package let grants: [GrantPayload]

    package init(requests: [RequestPayload], grants: [GrantPayload]) {
        (self.requests, self.grants) = (requests, grants)
    }
}

/// An event of the tab of programs.
package enum ProgramsEvent: Sendable {
    case loaded(Result<ProgramsContent, Failure>)
    /// The end of a call of the agent.
    case done(ProgramsEffect, Failure?)

    case allow(String)
    case refuse(String)
    case revoke(String)
}

/// A task from the tab of programs.
package enum ProgramsEffect: Sendable, Equatable {
    case load
    case allow(String, AllowOptions)
    case refuse(String)
    case revoke(String)
}

/// The tab of programs: those that ask now, those that may have tokens, and the questions before a change.
struct ProgramsModel: Sendable {
    private enum Asking: Sendable {
        case allowing(RequestPayload, GrantDialogue, Ask)
        case proving(RequestPayload, GrantDialogue.Granted)
        case refusing(RequestPayload, Question)
        case revoking(GrantPayload, Question)
    }

    private var content: ProgramsContent?
    private var asking: Asking?
    private var doing: ProgramsEffect?
    private var trouble: Failure?
    private var loadedAt: ContinuousClock.Instant?
    private var isLoading = false

    /// How often the list is asked for while it is on the screen.
    private static let interval = Duration.seconds(3)

    // MARK: Events

    mutating func renew(at moment: ContinuousClock.Instant) -> [WindowEffect] {
        (loadedAt, isLoading) = (moment, true)
        return [.programs(.load)]
    }

    mutating func tick(at moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard asking == nil, !isLoading, loadedAt.map({ moment - $0 >= Self.interval }) ?? true else { return [] }
        return renew(at: moment)
    }

    mutating func back() { if doing == nil { (asking, trouble) = (nil, nil) } }

    mutating func take(_ event: ProgramsEvent) -> [WindowEffect] {
        switch event {
        case .loaded(let result):
            isLoading = false
            switch result {
            case .success(let newer): content = newer
            case .failure(let failure): if content == nil { trouble = failure }
            }
        case .done(let effect, let failure):
            guard doing == effect else { return [] }
            doing = nil
            trouble = failure
            if failure?.mayTryAgain != true { asking = nil }
            isLoading = true
            return [.programs(.load)]
        case .allow(let id):
            guard let request = content?.requests.first(where: { $0.id == id }), doing == nil else { return [] }
            trouble = nil
            return advance(request, GrantDialogue(request, before: .person(typesWords: false)), nil)
        case .refuse(let id):
            guard let request = content?.requests.first(where: { $0.id == id }), doing == nil else { return [] }
            (asking, trouble) = (.refusing(request, .refuse(request)), nil)
        case .revoke(let id):
            guard let grant = content?.grants.first(where: { $0.id == id }), doing == nil else { return [] }
            (asking, trouble) = (.revoking(grant, .revoke(grant, cut: false)), nil)
        }
        return []
    }

    mutating func answer(_ answer: Answer) -> [WindowEffect] {
        guard doing == nil else { return [] }
        switch (asking, answer) {
        case (.allowing(let request, let dialogue, let ask), _):
            // On a page of its own, Cancel lays the request aside; only Refuse refuses it.
            if case .grant = ask, answer != .yes {
                asking = nil
                return []
            }
            return advance(request, dialogue, answer)
        case (.refusing(let request, _), .yes): return begin(.refuse(request.id))
        case (.revoking(let grant, _), .yes): return begin(.revoke(grant.id))
        default: asking = nil
        }
        return []
    }

    private mutating func advance(
        _ request: RequestPayload, _ dialogue: GrantDialogue, _ answer: Answer?
    ) -> [WindowEffect] {
        var dialogue = dialogue
        switch dialogue.next(answer) {
        case .ask(let ask): asking = .allowing(request, dialogue, ask)
        case .prove(let granted): asking = .proving(request, granted)
        case .refuse: asking = .refusing(request, .refuse(request))
        case .end(let failure):
            asking = nil
            if failure != .cancelled { trouble = failure }
        }
        return []
    }

    mutating func prove(_ pin: any Secret) -> [WindowEffect] {
        guard case .proving(let request, let granted) = asking, doing == nil else {
            pin.wipe()
            return []
        }
        do {
            return begin(.allow(request.id, try granted.terms()), pin: pin)
        } catch {
            pin.wipe()
            trouble = Failure(error)
            return []
        }
    }

    private mutating func begin(_ effect: ProgramsEffect, pin: (any Secret)? = nil) -> [WindowEffect] {
        (doing, trouble) = (effect, nil)
        return [.use, .programs(effect, pin: pin)]
    }

    // MARK: The screen

    func screen() -> Screen {
        guard let asking else {
            return .programs(
                Screen.Programs(
                    asking: (content?.requests ?? []).map(Screen.Programs.Asking.init),
                    grants: (content?.grants ?? []).map(Screen.Programs.Grant.init),
                    trouble: trouble.map(Screen.Trouble.init), isLoaded: content != nil))
        }
        let words = trouble.map { Sentence.of($0.message) + ($0.hint.map { " " + Sentence.of($0) } ?? "") }
        let isBusy = doing != nil
        switch asking {
        case .allowing(_, _, .grant(let act)):
            return .ask(
                Screen.AskPage(
                    title: "Programs", headline: act.words.headline.description, facts: act.facts.map { .init($0) },
                    ok: "Continue", trouble: words))
        case .allowing(_, _, .yesNo(let question)):
            return .ask(Screen.AskPage(title: "Programs", question, isGrave: false, trouble: words))
        case .allowing:
            return .ask(Screen.AskPage(title: "Programs", headline: "Allow this program?", cancel: "Cancel"))
        case .proving(_, let granted):
            return .ask(
                Screen.AskPage(
                    title: "Programs", headline: granted.act.words.headline.description,
                    facts: (granted.act.facts + (granted.life.map { [Fact($0)] } ?? [])).map { .init($0) },
                    input: .pin, prompt: granted.act.words.prompt, ok: granted.act.words.ok.description,
                    trouble: words, isBusy: isBusy))
        case .refusing(_, let question), .revoking(_, let question):
            return .ask(
                Screen.AskPage(
                    title: "Programs", question, above: question.sentences, trouble: words, isBusy: isBusy))
        }
    }
}

extension Screen.Programs.Asking {
    init(_ request: RequestPayload) {
        var facts: [Screen.AskPage.Line] = []
        if let claims = request.claims { facts.append(.init(label: "It calls itself", value: shown(claims.name))) }
        let sessions = request.choices.map { choice in
            shown(choice.session) + (choice.account.map { " (\(shown($0)))" } ?? "")
        }
        facts.append(.init(label: "Session", value: sessions.joined(separator: " or ")))
        if !request.scopes.isEmpty {
            facts.append(.init(label: "Scopes", value: shown(request.scopes.joined(separator: " "))))
        }
        if request.kinds.contains("id") {
            facts.append(.init(label: "ID token", value: "it proves to others who you are"))
        }
        facts.append(.init(label: "Until", value: LocalTime.full(request.expiresAt.date)))
        self.init(id: request.id, name: shown(request.program.text), facts: facts)
    }
}

extension Screen.Programs.Grant {
    init(_ grant: GrantPayload) {
        let tokens = grant.scopes.isEmpty ? "tokens" : grant.scopes.joined(separator: " ")
        var words = "\(tokens) of \(grant.session ?? "a session that is gone")"
        words += grant.lastUsedAt.map { ", last used \(LocalTime.full($0.date))" } ?? ", never used"
        switch grant.status {
        case .active: words += grant.expiresAt.map { ", until \(LocalTime.full($0.date))" } ?? ""
        case .over: words += ", over"
        case .gone: words += ", its file is gone"
        case .unusable: words += ", gives nothing any more"
        }
        self.init(id: grant.id, name: shown(grant.program.text), words: shown(words))
    }
}
