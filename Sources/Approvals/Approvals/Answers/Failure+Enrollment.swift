import Basics
import ApprovalModel

/// The failure of an enrollment.
extension Failure {
    init(enrollment error: EnrollmentError) {
        self =
            switch error.code {
            case .declined: .cancelled
            case .refused:
                Failure(
                    .refused,
                    "the bank did not connect this computer\(Self.words(error.refusal))",
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
            case .unconfirmed: Failure(unconfirmed: error)
            case .notProved: Failure(notProved: error)
            }
    }

    private init(unconfirmed error: EnrollmentError) {
        let cause = error.cause.map { Failure($0) }
        let name = error.name?.text ?? ""
        let next =
            error.isAskedAgain
            ? "asked again in a minute by: countersign pending" : "its first login shows whether it counts"
        let kept =
            error.isReconnect
            ? "\(name) keeps its earlier key too until the new one is confirmed" : "it is kept as \(name), unconfirmed"
        self.init(
            cause?.kind == .refused ? .refused : .unknown,
            "\(error.isReconnect ? "connected again" : "enrolled"), but not confirmed: \(cause?.message ?? "no answer came")",
            hint: "\(kept); \(next)" + (error.isReconnect ? "" : "; given up by: countersign revoke \(name)"))
    }

    private init(notProved error: EnrollmentError) {
        var failure = error.cause.map { Failure($0) } ?? Failure(.refused, "the bank's token does not work")
        failure.message = "the connection could not be proved: \(failure.message)"
        // If the link's address was not reached, the link can still be used.
        let remedy = failure.kind == .unreachable ? failure.hint : nil
        failure.hint = "nothing was \(error.isReconnect ? "changed" : "kept"); \(remedy ?? "try again with a new link")"
        self = failure
    }

    private static func words(_ refusal: EnrollmentRefusal?) -> String {
        guard case .refused(let errorClass, let message) = refusal else { return "" }
        return words(errorClass, message)
    }
}
