import Basics
import SessionModel
import Sessions
import Synchronization

/// The steps of a login that the agent itself drives on, for a person at the desktop.
final class WingLogin: LoginSteps {
    private let request: LoginRequest
    private let wing: SessionWing
    private let caller: CallerContext
    private let id = Mutex<String?>(nil)

    init(_ request: LoginRequest, in wing: SessionWing, for caller: CallerContext) {
        self.request = request
        self.wing = wing
        self.caller = caller
    }

    func begin() async throws -> LoginOfferPayload {
        let opened = try await wing.beginLogin(request, for: caller)
        id.withLock { $0 = opened.id }
        return opened.offer
    }

    func accept(returnURL: String) async throws -> WebAddress {
        let next = try await wing.acceptLogin(
            try begun(), LoginAcceptance(.browser(returnURL: returnURL)), for: caller)
        guard let page = next.page else { throw SessionError.loginEnded }
        return try WebAddress(page)
    }

    func take(_ address: String) async throws -> SignedInPayload? {
        try await wing.redirectLogin(try begun(), address, for: caller).signedIn
    }

    func awaitLoss() async throws {
        while true {
            _ = try await wing.login(try begun(), LoginWait(seconds: LoginWait.longest), for: caller)
            try Task.checkCancellation()
        }
    }

    func abandon() async { if let id = try? begun() { await wing.endLogin(id) } }

    // Nobody enters a code for it.

    func acceptDevice(within patience: Duration) async throws -> DeviceCodePayload { throw SessionError.loginEnded }
    func awaitDevice() async throws -> SignedInPayload { throw SessionError.loginEnded }

    private func begun() throws -> String {
        guard let id = id.withLock({ $0 }) else { throw SessionError.loginEnded }
        return id
    }
}
