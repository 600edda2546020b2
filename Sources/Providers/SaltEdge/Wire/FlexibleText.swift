/// Text that some banks send as a JSON number, such as a version.
struct FlexibleText: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do {
            text = try value.decode(String.self)
        } catch {
            text = String(try value.decode(Int64.self))
        }
    }
}
