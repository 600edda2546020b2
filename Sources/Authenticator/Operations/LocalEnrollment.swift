import Basics
public import SCA

extension LocalOperations {
    public func enroll(_ link: String, name: ConnectionName?) throws -> any EnrollmentSteps {
        try enrollment(of: link, name: name)
    }

    package func enrollment(of link: String, name: ConnectionName?) throws -> LocalEnrollment {
        let link = try setup.links.connect(link)
        if let name, try session.connections.connections().contains(where: { $0.name == name }) {
            throw Failure.usage(
                "there is a connection called \"\(name.text)\" already", hint: "choose another --name")
        }
        return LocalEnrollment(try Enrollment(.link(link, name: name), in: session, makeID: setup.makeID))
    }

    public func reconnect(_ name: String) throws -> any EnrollmentSteps { try reconnection(of: name) }

    package func reconnection(of name: String) throws -> LocalEnrollment {
        let connection = try session.connection(named: name)
        return LocalEnrollment(try Enrollment(.again(connection), in: session, makeID: setup.makeID))
    }
}

/// The steps of an enrollment in this process.
package struct LocalEnrollment: EnrollmentSteps {
    private let enrollment: Enrollment

    init(_ enrollment: Enrollment) { self.enrollment = enrollment }

    package func begin() async throws -> EnrollmentOfferPayload {
        EnrollmentOfferPayload(try await enrollment.begin())
    }

    package func accept(returnURL: String) async throws -> EnrollmentNext {
        switch try await enrollment.accept(returnURL: returnURL) {
        case .connected(let connection): EnrollmentNext(connection: ConnectionPayload(connection))
        case .page(let page): EnrollmentNext(page: page)
        }
    }

    package func take(_ address: String) async throws -> RedirectVerdict {
        do {
            return RedirectVerdict(connection: try await enrollment.take(address).map(ConnectionPayload.init))
        } catch let error as EnrollmentError {
            return RedirectVerdict(error: Failure(error))
        }
    }

    package func abandon() async { await enrollment.abandon() }

    package func resume(in session: Session) async { await enrollment.resume(in: session) }
}
