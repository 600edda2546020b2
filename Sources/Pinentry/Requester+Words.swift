public import Basics
public import Display

extension Requester {
    /// Who asks, for a prompt: the process and what started it. Neither is so long that what is asked is cut for it.
    public var words: DisplayText {
        let names = commands.prefix(2).map { DisplayText($0).line(within: 60) }.joined(separator: ", started by: ")
        let text = "Asked by process \(pid): \(names)"
        return DisplayText(shown: text) ?? DisplayText(text)
    }
}
