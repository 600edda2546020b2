/// Words of commands that hints spell, to be pasted into a shell.
enum CommandWords {
    static func login(_ name: SessionName) -> String { "countersign login \(name.text)" }

    /// The login at an address. One that a shell would read otherwise is left to the person.
    static func login(_ issuer: Issuer) -> String { "countersign login " + address(issuer) }

    static func doctor(_ issuer: Issuer) -> String { "countersign doctor --issuer " + address(issuer) }

    /// An option with each of these values; nothing if that could run something else.
    static func options(_ option: String, _ values: [String]) -> String {
        guard !values.isEmpty else { return "" }
        return values.allSatisfy(isPlain) ? values.map { " \(option) \($0)" }.joined() : ", with \(option)"
    }

    private static func address(_ issuer: Issuer) -> String { isPlain(issuer.text) ? issuer.text : "URL" }

    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && !value.hasPrefix("-")
            && value.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._:/@+%".utf8.contains(byte)
                }
            }
    }
}
