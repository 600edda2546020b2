import Basics
import FoundationEssentials
import ApprovalModel
import Web

/// The protocol version of an answer, for the one error that the two versions name differently.
enum Dialect {
    case v1, v2
}

extension Answer {
    /// The `data` of a good answer of any content type; throws the error of any other. An `error_class` counts more
    /// than the status: with status 200 it is an error, too (saltedge-v1 section 12).
    func data<T: Decodable>(_ type: T.Type, _ dialect: Dialect) throws(BankError) -> T {
        let document = try? JSONDecoder().decode(Document<T>.self, from: Data(body))
        if document?.errorClass != nil || !(200...299).contains(status) { throw error(document, dialect) }
        switch document?.data {
        case .success(let data): return data
        case .failure: throw malformed("the bank's answer lacks something that the protocol requires")
        case nil: throw malformed("the bank's answer is not what the protocol says")
        }
    }

    /// As `data`, but decodes a long answer on another thread, so that the calls of other banks do not wait.
    func dataAside<T: Decodable & Sendable>(_ type: T.Type, _ dialect: Dialect) async throws(BankError) -> T {
        guard body.count > 64 << 10 else { return try data(type, dialect) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(BankError) in
            try data(type, dialect)
        }
    }

    func malformed(_ reason: String) -> BankError {
        BankError(.malformedAnswer, reason, status: status, bankTime: serverTime, retryAfter: retryAfter)
    }

    private func error<T>(_ document: Document<T>?, _ dialect: Dialect) -> BankError {
        var error = BankError(errorClass: document?.errorClass, status: status, dialect)
        error.bankMessage = document?.errorMessage.map(BankText.init)
        error.bankTime = serverTime
        error.retryAfter = retryAfter
        return error
    }

    /// The outermost JSON object of every answer.
    private struct Document<T: Decodable>: Decodable {
        var errorClass: String?
        var errorMessage: String?
        /// Nil when the member is missing.
        var data: Result<T, any Error>?

        enum CodingKeys: String, CodingKey {
            case errorClass = "error_class"
            case errorMessage = "error_message"
            case data
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) -> String? {
                (try? members.decodeIfPresent(String.self, forKey: key)).flatMap { $0.isEmpty ? nil : $0 }
            }
            errorClass = text(.errorClass)
            errorMessage = text(.errorMessage)
            if members.contains(.data) { data = Result { try members.decode(T.self, forKey: .data) } }
        }
    }
}

/// A JSON value whose content does not matter.
struct Anything: Decodable {
    init(from decoder: any Decoder) {}
}
