import Basics
import ApprovalModel

/// The failure of an enrollment.
extension Failure {
    init(enrollment error: EnrollmentError) {
        self =
            switch error {
            case .declined: .cancelled
            case .refused(let errorClass, let message):
                Failure(
                    .refused,
                    "the bank did not connect this computer\(Self.words(errorClass, message))",
                    hint: "nothing was kept; try again with a new link")
            case .waitOver:
                Failure(
                    .cancelled, "the bank's page did not come back in time; nothing was kept",
                    hint: "try again; where the bank will not have a loopback address: --callback scheme or paste")
            case .noAddress:
                Failure(
                    .cancelled, "the input ended without the address that the bank's page led to; nothing was kept",
                    hint: "try again, and paste the address that the browser shows at the end; or: --callback loopback")
            case .foreignID:
                Failure(
                    .refused, "the redirect is for another connection",
                    hint: "nothing was kept; try again with a new link")
            case .outOfTurn:
                Failure(
                    .cancelled, "the enrollment was ended; nothing was kept", hint: "try again with a new link")
            case .foreignLink:
                Failure(
                    .refused, "the link is for another account than this connection",
                    hint: "nothing was changed; to connect it beside this one: countersign enroll")
            case .needsLink:
                Failure(
                    .usage, "only a new link of the bank connects this again",
                    hint: "countersign reconnect NAME -, with the link on standard input")
            case .takesNoLink:
                Failure(.usage, "this bank is connected again without a link", hint: "countersign reconnect NAME")
            case .unconfirmed(let kept): Failure(kept)
            case .notProved(let cause, let isReconnect): Failure(notProved: cause, isReconnect)
            }
    }

    private init(_ unconfirmed: EnrollmentError.Unconfirmed) {
        let (name, isReconnect) = (unconfirmed.name.text, unconfirmed.isReconnect)
        let next =
            unconfirmed.isAskedAgain
            ? "asked again in a minute by: countersign pending" : "its first login shows whether it counts"
        let kept =
            isReconnect
            ? "\(name) keeps its earlier key too until the new one is confirmed" : "it is kept as \(name), unconfirmed"
        self.init(
            unconfirmed.cause.kind == .refused ? .refused : .unknown,
            "\(isReconnect ? "connected again" : "enrolled"), but not confirmed: \(unconfirmed.cause.message)",
            hint: "\(kept); \(next)" + (isReconnect ? "" : "; given up by: countersign revoke \(name)"))
    }

    private init(notProved cause: Failure, _ isReconnect: Bool) {
        var failure = cause
        failure.message = "the connection could not be proved: \(failure.message)"
        // If the link's address was not reached, the link can still be used.
        let remedy = failure.kind == .unreachable ? failure.hint : nil
        failure.hint = "nothing was \(isReconnect ? "changed" : "kept"); \(remedy ?? "try again with a new link")"
        self = failure
    }
}
