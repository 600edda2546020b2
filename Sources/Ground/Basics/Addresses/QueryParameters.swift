/// The parameters behind the `?` of a link or redirect, with values still encoded. Where a name occurs more than once,
/// its first value counts (saltedge-v1 section 2.2).
package struct QueryParameters {
    private var values: [String: Substring] = [:]

    /// Parses the text after the `?`. A name that is not encoded properly is left out.
    package init(_ query: Substring) {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            guard let name = Percent.decode(pair.before("=")), values[name] == nil else { continue }
            values[name] = pair.behind("=") ?? ""
        }
    }

    /// Whether a parameter is there, even with an empty value.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The raw value; nil when absent or empty.
    package subscript(_ name: String) -> Substring? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }
}
