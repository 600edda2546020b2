import SCA

/// The steps of one enrollment, wherever they run. Each may be taken once, in this order; `take` as often as needed.
protocol EnrollmentSteps: Sendable {
    /// What stands at the end.
    associatedtype Connected: Sendable

    /// Learns whom the person is asked about. Nothing is made.
    func begin() async throws -> EnrollmentOffer
    /// The person said yes: makes the key and hands it to the bank.
    func accept(returnURL: String) async throws -> EnrollmentNext<Connected>
    /// Judges one redirected address, good or forged. Throws only what ends the enrollment.
    func take(_ address: String) async throws -> RedirectVerdict<Connected>
    /// Ends an enrollment that will not be driven on.
    func abandon() async
}

/// The bank that wants to connect this computer.
struct EnrollmentOffer: Sendable {
    /// What it calls itself.
    var bank: BankText
    /// Where the link leads.
    var sourceHost: String
    /// Where everything later goes.
    var baseHost: String
}

/// What follows a yes.
enum EnrollmentNext<Connected: Sendable>: Sendable {
    case connected(Connected)
    /// The person signs in on this page.
    case page(WebAddress)
}

/// What a redirected address proved to be.
enum RedirectVerdict<Connected: Sendable>: Sendable {
    case connected(Connected)
    /// It did not prove good; the wait goes on.
    case failed(any Error)
    /// Not a redirect for this enrollment at all.
    case notForUs
}
