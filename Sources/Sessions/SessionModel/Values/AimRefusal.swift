import Basics

/// An issuer refused scopes or resources at a renewal: they are not asked for again for a while.
struct AimRefusal: Sendable, Codable {
    var aim: TokenAim
    private var since: Moment
    /// Whether it refused the resources, not the scopes.
    private var isOfResources: Bool
    private var word: BankText?
    private var text: BankText?
    private var status: Int?

    /// How long a refusal is kept, in seconds.
    private static let kept: Int64 = 600

    /// Nil for a rejection that says nothing about scopes or resources.
    init?(_ rejection: Rejection, of aim: TokenAim, at moment: Moment) {
        switch rejection.kind {
        case .scope: isOfResources = false
        case .target: isOfResources = true
        case .grant, .unexplained, .client, .denied, .needsPerson, .tooWeak, .unavailable, .redirect, .other: return nil
        }
        self.aim = aim
        since = moment
        (word, text, status) = (rejection.word, rejection.text, rejection.status)
    }

    /// False after a reboot: how much time passed is not known then.
    func isKept(at now: Moment) -> Bool { now.secondsInBoot(since: since).map { $0 < Self.kept } ?? false }

    var rejection: Rejection {
        Rejection(isOfResources ? .target : .scope, word: word, text: text, status: status)
    }
}

extension TokenSet {
    /// The issuer's recent refusal of this aim; nil for none.
    package func refusal(of aim: TokenAim, at now: Moment) -> Rejection? {
        refusals?.first { $0.aim == aim && $0.isKept(at: now) }?.rejection
    }

    /// The token set with this refusal, if it is one of scopes or resources.
    package func refused(_ aim: TokenAim, by rejection: Rejection, at now: Moment) -> TokenSet {
        guard let refusal = AimRefusal(rejection, of: aim, at: now) else { return self }
        var set = self
        let others = (refusals ?? []).filter { $0.aim != aim && $0.isKept(at: now) }
        set.refusals = [refusal] + others.prefix(Self.mostTokens - 1)
        return set
    }
}
