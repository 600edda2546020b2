package import Basics
package import Display

extension Requester {
    /// Names the requester in a prompt: the process and the program that started it. Both are kept short, so that the
    /// question itself is not cut.
    package var words: DisplayText {
        let names = commands.prefix(2).map { DisplayText($0).line(within: 60) }.joined(separator: ", started by: ")
        let text = "Asked by process \(pid): \(names)"
        return DisplayText(shown: text) ?? DisplayText(text)
    }
}
