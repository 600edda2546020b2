/// The question to the agent: the words of a command line without options.
struct Question {
    /// The member of the JSON for the target: `target` or `url`; nil for the token of the only session.
    private let member: [UInt8]?
    private let value: [UInt8]

    /// - Parameter words: the command line, with the program's name.
    init?(_ words: [[UInt8]]) {
        guard words.count == 2 || words.count == 3, !Text.ends(words[0], with: "git-credential-countersign") else {
            return nil
        }
        let value = words.count == 3 ? words[2] : []
        if Text.equals(words[1], "token") {
            member = words.count == 3 ? Text.bytes("target") : nil
        } else if Text.equals(words[1], "header"), words.count == 3 {
            member = Text.bytes("url")
        } else {
            return nil
        }
        // Words that need escapes in JSON, options, and empty words are left to the program proper.
        guard value.allSatisfy(Text.isPlain), value.first != UInt8(ascii: "-"), words.count == 2 || !value.isEmpty
        else {
            return nil
        }
        self.value = value
    }

    /// The body of the request (`ReadyRequest`). `holder`: the process that is to answer.
    func json(of holder: Int32) -> [UInt8] {
        var body = Text.bytes("{\"pid\":") + Text.digits(Int(holder)) + Text.bytes(",\"version\":\"")
        body += Array(ProductVersion.text.utf8)
        if let member { body += Text.bytes("\",\"") + member + Text.bytes("\":\"") + value }
        return body + Text.bytes("\"}")
    }
}
