import Authenticator
import SCA

/// The steps of an enrollment in this process.
struct LocalEnrollment: EnrollmentSteps {
    private let enrollment: Enrollment

    init(_ enrollment: Enrollment) { self.enrollment = enrollment }

    func begin() async throws -> EnrollmentOffer {
        let configuration = try await enrollment.begin()
        return EnrollmentOffer(
            bank: configuration.name, sourceHost: configuration.source.hostForPeople,
            baseHost: configuration.baseURL.hostForPeople)
    }

    func accept(returnURL: String) async throws -> EnrollmentNext<Connection> {
        switch try await enrollment.accept(returnURL: returnURL) {
        case .connected(let connection): .connected(connection)
        case .page(let page): .page(page)
        }
    }

    func take(_ address: String) async throws -> RedirectVerdict<Connection> {
        do {
            return try await enrollment.take(address).map { .connected($0) } ?? .notForUs
        } catch let error as EnrollmentError {
            return .failed(error)
        }
    }

    func abandon() async { await enrollment.abandon() }
}
