import GRDB
import Hummingbird

/// A test's controls of the bank itself:
///
/// * `POST /admin/faults` `{"operation","times","bank","status","error_class","error_message","body","body_size",
///   "content_type","headers","delay_ms","after","drop"}`, `POST /admin/faults/clear`
/// * `POST /admin/clock` `{"offset_seconds"}`
/// * `POST /admin/settings` `{"bank","name","style","base64","geolocation_required","constant_key","processing_polls",
///   "finished_seconds","wrong_code"}`
/// * `GET /admin/requests?operation=&limit=`, `POST /admin/requests/clear`
extension AdminRoutes {
    func addControls(to group: RouterGroup<BankContext>) {
        on(group, .post, "faults", addFault)
        on(group, .post, "faults/clear") { _ in
            services.faults.clear()
            return ["cleared": true]
        }
        on(group, .post, "clock", setClock)
        on(group, .post, "settings", changeSettings)
        on(group, .get, "requests", listRequests)
        on(group, .post, "requests/clear") { _ in
            services.requests.clear()
            return ["cleared": true]
        }
    }

    /// `POST /admin/faults`
    private func addFault(_ call: AdminCall) async throws -> JSONValue {
        let fault = Fault(
            operation: try call.text("operation"), bank: call["bank"]?.string, times: call["times"]?.int ?? 1,
            status: call["status"]?.int, errorClass: call["error_class"]?.string,
            errorMessage: call["error_message"]?.string, body: try Self.body(call),
            contentType: call["content_type"]?.string,
            headers: (call["headers"]?.object ?? [:]).compactMapValues(\.scalarText),
            delayMilliseconds: call["delay_ms"]?.int ?? 0, after: call["after"]?.bool ?? false,
            drop: call["drop"]?.bool ?? false)
        guard fault.status.map({ (200...599).contains($0) }) ?? true else {
            throw AdminError(status: .badRequest, message: "status is no final HTTP status")
        }
        services.faults.add(fault)
        return ["operation": .string(fault.operation), "times": .int(fault.times)]
    }

    /// The fault's body: `body` if it is text, else its JSON; or a text of `body_size` letters.
    private static func body(_ call: AdminCall) throws -> String? {
        if let size = call["body_size"]?.int {
            guard (0...(64 << 20)).contains(size) else { throw AdminError.missing("body_size") }
            return String(repeating: "x", count: size)
        }
        guard let body = call["body"] else { return nil }
        return body.string ?? body.text
    }

    /// `POST /admin/clock`
    private func setClock(_ call: AdminCall) async throws -> JSONValue {
        guard let offset = call["offset_seconds"]?.number else { throw AdminError.missing("offset_seconds") }
        services.clock.shift(to: offset)
        return ["now": .time(services.clock.now)]
    }

    /// `POST /admin/settings`
    private func changeSettings(_ call: AdminCall) async throws -> JSONValue {
        var bank = try await services.bank(code: call.bankCode)
        if let name = call["name"]?.string { bank.name = name }
        if let style = try call.word("style", Bank.Style.self) { bank.style = style }
        if let base64 = try call.word("base64", Bank.Base64.self) { bank.base64 = base64 }
        if let flag = call["constant_key"]?.bool { bank.usesConstantKey = flag }
        if let polls = call["processing_polls"]?.int { bank.processingPolls = polls }
        if let seconds = call["finished_seconds"]?.number { bank.finishedSeconds = seconds }
        if let outcome = try call.word("wrong_code", Bank.WrongCode.self) { bank.wrongCode = outcome }
        switch call.body.object?["geolocation_required"] {
        case .bool(true): bank.geolocation = .required
        case .bool(false): bank.geolocation = .optional
        case .null: bank.geolocation = .unsupported
        case nil: break
        default: throw AdminError.missing("geolocation_required")
        }
        let changed = bank
        try await services.store.write { db in try changed.update(db) }
        return [
            "bank": .string(bank.code), "name": .string(bank.name), "style": .string(bank.style.rawValue),
            "base64": .string(bank.base64.rawValue), "constant_key": .bool(bank.usesConstantKey),
            "processing_polls": .int(bank.processingPolls), "finished_seconds": .double(bank.finishedSeconds),
            "wrong_code": .string(bank.wrongCode.rawValue),
            "geolocation_required": JSONValue(parsing: bank.geolocation.rawValue.utf8) ?? .null,
        ]
    }

    /// `GET /admin/requests`
    private func listRequests(_ call: AdminCall) async throws -> JSONValue {
        let entries = services.requests.entries.filter { (call.query["operation"] ?? $0.operation) == $0.operation }
        let limit = call.query["limit"].flatMap(Int.init) ?? entries.count
        return .array(entries.suffix(max(0, limit)).map(describe))
    }

    private func describe(_ entry: RequestLog.Entry) -> JSONValue {
        let query = entry.call.query.map { "?" + $0 } ?? ""
        var headers: [String: JSONValue] = [:]
        for field in entry.call.headers { headers[field.name.canonicalName] = .string(field.value) }
        return [
            "number": .int(entry.number), "at": .time(entry.at), "operation": .string(entry.operation),
            "bank": .string(entry.bank), "method": .string(entry.call.method),
            "url": .string(entry.call.origin + entry.call.path + query), "headers": .object(headers),
            "body": .string(String(decoding: entry.call.body, as: UTF8.self)),
            "body_base64": .string(Base64Text.standard(.init(entry.call.body), style: .single)),
            "status": entry.status.map { .int($0) } ?? .null,
        ]
    }
}
