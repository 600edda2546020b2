/// Command lines for hints, to be pasted into a shell.
enum CommandWords {
    static func login(_ name: SessionName) -> String { "countersign login \(name.text)" }

    /// The login command for an issuer. Says `URL` in place of an address that a shell would misread.
    static func login(_ issuer: Issuer) -> String { "countersign login " + address(issuer) }

    static func doctor(_ issuer: Issuer) -> String { "countersign doctor --issuer " + address(issuer) }

    /// How to sign in where programs do not register themselves. Names the redirect address, since the issuer demands the same one.
    static func registering(then login: String) -> String {
        """
        register a native (public) client there with the redirect address http://127.0.0.1/callback, then: \
        \(login) --client-id ID --redirect-uri http://127.0.0.1/callback
        """
    }

    /// The option with each of the values. Says `VALUE` in place of values that could make the shell run something else.
    static func options(_ option: String, _ values: [String]) -> String {
        guard !values.isEmpty else { return "" }
        return values.allSatisfy(isPlain) ? values.map { " \(option) \($0)" }.joined() : " \(option) VALUE"
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
