import Foundation
import Testing

/// The description of the socket's API that the repository keeps, and the part of JSON Schema (draft 2020-12) that it is
/// written in.
struct OpenAPIFile {
    let root: JSONValue

    init() throws { root = try Self.read.get() }

    /// Read once, since it is long.
    private static let read = Result {
        let place = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Share/Schemas/agent-openapi.json")
        return try JSONValue(try Data(contentsOf: place))
    }

    struct Operation {
        var method: String
        var path: String
        var content: JSONValue
        /// With those of its path, references resolved.
        var parameters: [JSONValue]

        var id: String { content["operationId"]?.string ?? "" }
        var route: String { "\(method) \(path)" }

        func names(in place: String) -> Set<String> {
            Set(parameters.filter { $0["in"]?.string == place }.compactMap { $0["name"]?.string })
        }
    }

    func operations() throws -> [Operation] {
        try #require(root["paths"]?.object).flatMap { path, item in
            let shared = item["parameters"]?.array ?? []
            return try #require(item.object).filter { $0.key != "parameters" }.map { method, content in
                Operation(
                    method: method.uppercased(), path: path, content: content,
                    parameters: (shared + (content["parameters"]?.array ?? [])).map(resolve))
            }
        }
    }

    /// What a reference leads to; anything else as it is.
    func resolve(_ value: JSONValue) -> JSONValue {
        guard let path = value["$ref"]?.string else { return value }
        return path.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
    }

    /// The schema of an answer; nil where it has no body.
    func schema(of operation: Operation, status: Int) throws -> JSONValue? {
        let answers = try #require(operation.content["responses"]?["\(status)"], "\(operation.route) \(status)")
        let content = resolve(answers)["content"]?.object ?? [:]
        return (content["application/json"] ?? content.values.first)?["schema"]
    }

    /// The types that the body of a request may have.
    func bodyTypes(of operation: Operation) -> Set<String> {
        Set(operation.content["requestBody"]?["content"]?.object?.keys ?? [:].keys)
    }

    /// The members that the JSON body of a request may have, in any of its forms.
    func memberNames(of operation: Operation) -> Set<String> {
        guard let schema = operation.content["requestBody"]?["content"]?["application/json"]?["schema"] else {
            return []
        }
        let forms = schema["oneOf"]?.array ?? [schema]
        return Set(forms.flatMap { resolve($0)["properties"]?.object?.keys.map(\.self) ?? [] })
    }

    // MARK: Schemas

    /// What is wrong with a value, by place; nothing when it is as the schema says. A keyword that is not known here is wrong
    /// too, so that none is passed over.
    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        guard let keywords = schema.object else { return ["\(place): no schema"] }
        return keywords.flatMap { faults(value, keywords, $0, $1, place) }
    }

    private func faults(
        _ value: JSONValue, _ schema: [String: JSONValue], _ keyword: String, _ rule: JSONValue, _ place: String
    ) -> [String] {
        func unless(_ isRight: Bool) -> [String] { isRight ? [] : ["\(place): \(keyword) \(rule) not met by \(value)"] }
        switch (keyword, value) {
        case ("$ref", _): return faults(value, resolve(.object(schema)), at: place)
        case ("type", _):
            return unless((rule.array ?? [rule]).contains { Self.isOf($0.string ?? "", value) })
        case ("enum", _): return unless(rule.array?.contains(value) == true)
        case ("const", _): return unless(rule == value)
        case ("oneOf", _): return unless((rule.array ?? []).count { faults(value, $0, at: place).isEmpty } == 1)
        case ("anyOf", _): return unless((rule.array ?? []).contains { faults(value, $0, at: place).isEmpty })
        case ("required", .object(let members)):
            return unless((rule.array ?? []).allSatisfy { $0.string.map { members[$0] != nil } == true })
        case ("properties", .object(let members)):
            return members.flatMap { name, member in
                rule[name].map { faults(member, $0, at: "\(place).\(name)") } ?? []
            }
        case ("additionalProperties", .object(let members)):
            let others = members.filter { schema["properties"]?[$0.key] == nil }
            if rule == .bool(false) { return unless(others.isEmpty) }
            return others.flatMap { faults($1, rule, at: "\(place).\($0)") }
        case ("items", .array(let items)):
            return items.enumerated().flatMap { faults($1, rule, at: "\(place)[\($0)]") }
        case ("pattern", .string(let text)):
            guard let pattern = rule.string, let regex = try? Regex(pattern) else { return ["\(place): no pattern"] }
            return unless(text.firstMatch(of: regex) != nil)
        case ("minimum", .number(let number)): return unless(number >= rule.number ?? .infinity)
        case ("maximum", .number(let number)): return unless(number <= rule.number ?? -.infinity)
        case ("required", _), ("properties", _), ("additionalProperties", _), ("items", _), ("pattern", _),
            ("minimum", _), ("maximum", _), ("description", _), ("default", _):
            return []
        default: return ["\(place): the keyword \(keyword) is not known here"]
        }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
