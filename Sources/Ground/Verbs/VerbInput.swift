import Basics

/// The input of a verb, except for the name in its path. `QueryInput` travels in a request's query, `JSONInput` in its body.
package protocol VerbInput: Sendable {
    static var form: VerbForm { get }
    /// Throws a `Failure` of kind `usage` for a request whose arguments are missing or wrong.
    init(_ arguments: VerbArguments) throws
    func write(to arguments: inout VerbArguments) throws
    /// Whether only our own program may ask for this, although others may use the verb.
    var isForOwnProgram: Bool { get }
}

extension VerbInput {
    package var isForOwnProgram: Bool { false }
}

/// Where a verb's input travels, and the names that it may have there.
package enum VerbForm: Sendable, Equatable {
    case none
    case query([String])
    case json([String])

    /// The names that the query may have.
    package var queryNames: [String] { if case .query(let names) = self { names } else { [] } }
}

/// The arguments of one request, not yet checked.
package struct VerbArguments: Sendable {
    /// The name in the path, decoded; empty where the path has none.
    package var name = ""
    /// The query, decoded.
    package var query: [String: String] = [:]
    /// The body, where it is JSON.
    package var json: [UInt8] = []

    package init() {}
}

/// The input of a verb that takes none.
package struct NoInput: VerbInput {
    package static var form: VerbForm { .none }

    package init() {}
    package init(_ arguments: VerbArguments) {}
    package func write(to arguments: inout VerbArguments) {}
}

/// The output of a verb that returns nothing.
package struct NoOutput: Codable, Sendable {
    package init() {}
}

/// An input that is the JSON object in a request's body. Its members are those of `CodingKeys`, in `JSONForm`.
package protocol JSONInput: VerbInput, Codable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

extension JSONInput {
    package static var form: VerbForm { .json(CodingKeys.allCases.map { JSONForm.name(of: $0) }) }

    /// Refuses an unknown member, and a member that stands twice: two programs could read the input differently. A
    /// `Failure` that decoding throws names the fault of a member.
    package init(_ arguments: VerbArguments) throws {
        guard let members = JSON(arguments.json)?.members else { throw Failure.badBody }
        let known = CodingKeys.allCases.map { JSONForm.name(of: $0) }
        guard Set(members.names).isSubset(of: known) else {
            throw Failure.usage(
                "a member of the body is not known here", hint: "known: \(known.sorted().joined(separator: ", "))")
        }
        guard !members.isAmbiguous else { throw Failure.usage("a member of the body is given twice") }
        do {
            self = try JSONForm.decode(Self.self, from: arguments.json)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure.badBody
        }
    }

    package func write(to arguments: inout VerbArguments) throws { arguments.json = try JSONForm.encode(self) }
}

extension Failure {
    fileprivate static let badBody = Failure.usage("the body is not the JSON that this takes")
}
