import Basics
import ApprovalModel

extension LocalOperations {
    package func enrollment(_ request: EnrollmentRequest) throws -> LocalEnrollment {
        switch request {
        case .link(let link, let name): try enrollment(of: link, name: name)
        case .again(let name, let link): try reconnection(of: name, by: link)
        }
    }

    /// Begins to connect a bank. Nothing is made before `accept`.
    private func enrollment(of link: GivenLink, name: ConnectionName?) throws -> LocalEnrollment {
        let link = try link.read(by: setup.links).connecting()
        if let name, try workspace.connections.connections().contains(where: { $0.name == name }) {
            throw Failure.usage(
                "there is a connection called \"\(name.text)\" already", hint: "choose another --name")
        }
        if let known = try workspace.connections.connections().first(where: link.isFor) {
            throw Failure.usage(
                "this account is connected already, as \(known.name.text)",
                hint: "countersign reconnect \(known.name.text) -, with the link on standard input")
        }
        return LocalEnrollment(
            try Enrollment(.link(link, name: name), in: workspace, makeID: setup.makeID), workspace.providers)
    }

    /// Begins to connect a bank again, with a new link if the bank wants one.
    private func reconnection(of name: String, by link: GivenLink?) throws -> LocalEnrollment {
        let connection = try workspace.connection(named: name)
        let link = try link.map { try $0.read(by: setup.links).connecting() }
        do throws(EnrollmentError) {
            switch (link, (try? workspace.providers.reconnectsByLink(connection)) ?? false) {
            case (nil, true): throw EnrollmentError.needsLink
            case (.some, false): throw EnrollmentError.takesNoLink
            case (let link?, true) where link.tellsAccount && !link.isFor(connection):
                throw EnrollmentError.foreignLink
            default: break
            }
        } catch {
            throw Failure(error).naming(connection: name)
        }
        return LocalEnrollment(
            try Enrollment(.again(connection, by: link), in: workspace, makeID: setup.makeID), workspace.providers)
    }
}

/// An enrollment that runs in this process. Take each step once, in this order, but `take` as often as needed.
package struct LocalEnrollment: Sendable {
    private let enrollment: Enrollment
    private let providers: Providers

    init(_ enrollment: Enrollment, _ providers: Providers) {
        self.enrollment = enrollment
        self.providers = providers
    }

    /// Fetches the offer for the person's consent, and makes no key yet.
    package func begin() async throws -> EnrollmentOfferPayload {
        EnrollmentOfferPayload(try await keepingNothing { try await enrollment.begin() })
    }

    /// The person said yes: makes the key and sends it to the bank.
    package func accept(returnURL: String) async throws -> EnrollmentNext {
        switch try await keepingNothing({ try await enrollment.accept(returnURL: returnURL) }) {
        case .connected(let connection):
            EnrollmentNext(connection: ConnectionPayload(connection, providers.facts(of: connection)))
        case .page(let page): EnrollmentNext(page: page)
        }
    }

    /// After a lost call, sets the hint that no connection was kept here. The bank may have the key.
    private func keepingNothing<R: Sendable>(_ step: () async throws -> R) async throws -> R {
        do {
            return try await step()
        } catch let error as BankError {
            var failure = Failure(error)
            if failure.kind == .unknown { failure.hint = "nothing was kept; try again with a new link" }
            throw failure
        }
    }

    /// Judges one redirected address, which may be forged. Throws only errors that end the enrollment.
    package func take(_ address: String) async throws -> RedirectVerdict {
        do {
            let stored = try await enrollment.take(address)
            return RedirectVerdict(connection: stored.map { ConnectionPayload($0, providers.facts(of: $0)) })
        } catch let error as EnrollmentError {
            return RedirectVerdict(error: Failure(error))
        }
    }

    /// Ends an enrollment that nobody continues.
    package func abandon() async { await enrollment.abandon() }

    package func resume(in workspace: Workspace) async { await enrollment.resume(in: workspace) }
}
