public import Display

/// What a pinentry shows. A stranger's words get in as `DisplayText` alone; the rest is fixed when this program is built.
public struct PinentryQuestion: Sendable {
    /// The first line of the description. Always our own words: pinentries made with Qt take a description for HTML when its
    /// first line looks like it.
    public var words: StaticString
    /// The lines below, one for each. What is most needed stands first, since a long description is cut at its end.
    public var details: [DisplayText]
    /// Text of several lines below these, which come from one place: a part of a card, or words of ours.
    public var body: DisplayText?
    /// Stands before the field for the PIN.
    public var prompt: StaticString
    /// What went wrong before, such as a wrong PIN and the tries that are left.
    public var error: DisplayText?
    public var ok: StaticString
    public var cancel: StaticString

    public init(
        _ words: StaticString, details: [DisplayText] = [], body: DisplayText? = nil, prompt: StaticString = "PIN:",
        error: DisplayText? = nil,
        ok: StaticString = "OK", cancel: StaticString = "Cancel"
    ) {
        self.words = words
        self.details = details
        self.body = body
        self.prompt = prompt
        self.error = error
        self.ok = ok
        self.cancel = cancel
    }

    /// Bytes that the details may take below these words without being cut, as `AssuanText.length` counts them, line feeds
    /// between them included.
    static func room(below words: StaticString) -> Int {
        AssuanText.longestLine - AssuanText.length("SETDESC \(words)\n")
    }

    var description: String {
        ([words.description] + details.map(\.line) + [body?.block].compactMap { $0 }).joined(separator: "\n")
    }
}
