public import Basics
public import Display

extension Requester {
    /// Who asks, for a prompt: the process and what started it. Both are kept short, so that the question itself is not cut.
    public var words: DisplayText {
        let names = commands.prefix(2).map { DisplayText($0).line(within: 60) }.joined(separator: ", started by: ")
        let text = "Asked by process \(pid): \(names)"
        return DisplayText(shown: text) ?? DisplayText(text)
    }
}
