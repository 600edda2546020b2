import Hummingbird

/// The fields of a posted form.
struct WebForm: Sendable {
    private let fields: [String: String]

    init(_ request: Request) async throws {
        let bytes = try await request.body.collect(upTo: 1 << 20).readableBytesView
        fields = URLText.formFields(String(decoding: bytes, as: UTF8.self))
    }

    /// A field without surrounding white space; empty when it is missing.
    subscript(_ name: String) -> String {
        let value = fields[name] ?? ""
        let start = value.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// A field exactly as typed.
    func verbatim(_ name: String) -> String { fields[name] ?? "" }
}
