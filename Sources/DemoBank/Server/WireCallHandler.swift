import Hummingbird

/// Where calls of the protocols arrive: notes them, applies the faults a test ordered, and turns errors into answers.
struct WireDesk: Sendable {
    let office: Office
    /// How this protocol writes an error.
    let answerError: @Sendable (WireError, Bank) -> Response

    typealias Work = @Sendable (WireCall, Bank) async throws -> Response

    func handle(_ operation: String, bank: Bank, request: Request, work: Work) async throws -> Response {
        let call = try await WireCall(request, scheme: office.address.scheme)
        let number = office.requests.arrived(call, operation: operation, bank: bank.code, at: office.clock.now)
        let response = try await troubled(operation, call: call, bank: bank, work: work)
        office.requests.answered(number, status: response.status.code)
        return response
    }

    private func troubled(_ operation: String, call: WireCall, bank: Bank, work: Work) async throws -> Response {
        guard let fault = office.faults.take(operation: operation, bank: bank.code) else {
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
