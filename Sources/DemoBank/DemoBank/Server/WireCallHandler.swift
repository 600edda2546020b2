import Hummingbird

/// Handles the calls of the protocols: logs them, applies the faults that a test asked for, and turns errors into
/// answers.
struct WireCallHandler: Sendable {
    let services: BankServices
    /// How this protocol writes an error.
    let answerError: @Sendable (WireError, Bank) -> Response

    typealias Work = @Sendable (WireCall, Bank) async throws -> Response

    func handle(_ operation: String, bank: Bank, request: Request, work: Work) async throws -> Response {
        let call = try await WireCall(request, scheme: services.address.scheme)
        let number = services.requests.arrived(call, operation: operation, bank: bank.code, at: services.clock.now)
        let response = try await troubled(operation, call: call, bank: bank, work: work)
        services.requests.answered(number, status: response.status.code)
        return response
    }

    private func troubled(_ operation: String, call: WireCall, bank: Bank, work: Work) async throws -> Response {
        guard let fault = services.faults.take(operation: operation, bank: bank.code) else {
            return try await answer(call, bank: bank, work: work)
        }
        var response: Response?
        if fault.after || !fault.replacesAnswer { response = try await answer(call, bank: bank, work: work) }
        if fault.delayMilliseconds > 0 { try await Task.sleep(for: .milliseconds(fault.delayMilliseconds)) }
        if fault.drop { throw ConnectionDropped() }
        if fault.replacesAnswer { response = faulty(fault, bank: bank) }
        guard var response else { throw ConnectionDropped() }
        for (name, value) in fault.headers {
            if let field = HTTPFields.Element.Name(name) { response.headers[field] = value }
        }
        return response
    }

    private func faulty(_ fault: Fault, bank: Bank) -> Response {
        let status = HTTPResponse.Status(code: fault.status ?? 500)
        guard let body = fault.body else {
            let error = WireError(
                status: status.code, errorClass: fault.errorClass ?? "InternalServerError",
                message: fault.errorMessage ?? "ordered by a test")
            var response = answerError(error, bank)
            if let contentType = fault.contentType { response.headers[.contentType] = contentType }
            return response
        }
        return Answer.text(body, contentType: fault.contentType ?? "application/json; charset=utf-8", status: status)
    }

    private func answer(_ call: WireCall, bank: Bank, work: Work) async throws -> Response {
        do {
            return try await work(call, bank)
        } catch let error as WireError {
            return answerError(error, bank)
        }
    }
}
