import SessionModel

/// When to poll in a device flow, and how to react to each answer (RFC 8628 section 3.5). A value without I/O.
struct DevicePolling {
    enum Step {
        /// Poll again after this many seconds.
        case wait(seconds: Int64)
        case take(TokenGrant)
        /// The issuer said no.
        case refuse(Rejection)
        case fail(SessionError)
    }

    private var pause: Int64
    private var mayBeLost = false

    /// The longest pause after calls that failed. An issuer may ask for more.
    private static let longestBackOff: Int64 = 60

    init(_ code: DeviceCode) { pause = code.interval }

    /// The wait before the first poll: nobody enters a code at once.
    var first: Step { .wait(seconds: pause) }

    mutating func answered(_ answer: DeviceAnswer) -> Step {
        switch answer {
        case .granted(let grant): return .take(grant)
        case .pending: break
        case .slowDown: pause += 5
        case .expired: return .fail(.codeExpired)
        case .rejected(let rejection):
            // Issuers that give the tokens only once refuse the code afterwards.
            guard mayBeLost else { return .refuse(rejection) }
            return .fail(.issuer(.noAnswer(reason: "an answer was lost, and the issuer takes the code no more")))
        case .unusable(let reason): return .fail(.issuer(.noAnswer(reason: reason)))
        case .later(let seconds): backOff(atLeast: seconds ?? 0)
        case .noAnswer:
            mayBeLost = true
            backOff(atLeast: 0)
        }
        return .wait(seconds: pause)
    }

    private mutating func backOff(atLeast seconds: Int64) {
        pause = max(pause, min(2 * pause, Self.longestBackOff), min(seconds, 3600))
    }
}
