import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Testing

@testable import Tiqr

/// Responses of every suite that tiqr section 12 lists, and inputs with one fault each, made by another program
/// (Fixtures/tiqr).
struct TiqrVectorTests {
    struct Vectors: Decodable {
        struct Vector: Decodable, Sendable, CustomTestStringConvertible {
            var name: String
            var suite: String
            var question: String
            var session: String
            var version: Int
            var message: String?
            var response: String?
            var wrong: [String: String]
            var fault: String?
            var testDescription: String { "\(suite), \(name)" }
        }
        struct Refused: Decodable, Sendable, CustomTestStringConvertible {
            var suite: String
            var words: String
            var testDescription: String { suite }
        }
        var vectors: [Vector]
        var refused: [Refused]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let vectors = try! JSONDecoder().decode(
        // A fixture that cannot be read ends the run, which names it.
        Vectors.self, from: Data(contentsOf: root.appending(path: "Fixtures/tiqr/responses.json")))

    private static let secret: LockedBytes = {
        let digits = try! String(contentsOf: root.appending(path: "Keys/tiqr-secret.hex"), encoding: .utf8)
        let bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits.dropFirst($0).prefix(2), radix: 16)! }
        return try! bytes.withUnsafeBytes { try LockedBytes(copying: $0) }
    }()

    @Test(arguments: vectors.vectors)
    func responses(_ vector: Vectors.Vector) throws {
        let suite = try OCRASuite(tiqr: vector.suite)
        do throws(OCRA.Fault) {
            let ocra = try OCRA(
                suite, question: vector.question, digitsAreHexadecimal: vector.version >= 2, session: vector.session)
            #expect(ocra.message.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == vector.message)
            let response = try? ocra.response(key: Self.secret)
            #expect(response == vector.response && vector.fault == nil)
            for (name, other) in vector.wrong { #expect(response != other, "\(name)") }
        } catch {
            #expect("\(error)" == vector.fault)
        }
    }

    @Test(arguments: vectors.refused)
    func suitesThatAreRefused(_ vector: Vectors.Refused) {
        do throws(BankError) {
            _ = try OCRASuite(tiqr: vector.suite)
            Issue.record("it is taken")
        } catch {
            #expect(error.kind == .refused && error.reason.contains(vector.words), "\(error.reason)")
        }
    }
}
