package import ApprovalModel
import Approvals
package import Basics
package import Display

/// The use that an undertaking makes of its link.
package enum LinkKind: Sendable {
    case bank, action

    /// Parses a link of this kind. `host`: its host or bank, without the rest, which may be secret.
    package func read(_ text: String, by readers: LinkReaders) throws -> (link: GivenLink, host: DisplayText) {
        let given = try GivenLink(text, by: readers)
        let link = try given.read(by: readers)
        switch self {
        case .bank: return (given, DisplayText(try link.connecting().address.hostForPeople))
        case .action: return (given, DisplayText(try link.acting().bank))
        }
    }
}

/// Which code of a picture is the link: the only one of its kind, or the one that the person chooses by its host.
package struct LinkDialogue: Sendable {
    package enum Next: Sendable {
        case ask(Ask)
        case done(GivenLink)
        case end(Failure)
    }

    private let links: [(link: GivenLink, host: DisplayText)]
    private var isOpen = false
    private var end: Next?

    package init(among codes: [String], _ kind: LinkKind, by readers: LinkReaders, before audience: Audience) {
        links = codes.compactMap { try? kind.read($0, by: readers) }
        if links.isEmpty {
            end = .end(Self.noLink(in: codes, kind, readers))
        } else if links.count == 1 {
            end = .done(links[0].link)
        } else if audience == .nobody {
            let hosts = links.map { $0.host.line(within: 60) }.joined(separator: ", ")
            end = .end(
                .usage(
                    "the picture has \(links.count) codes, for \(hosts)",
                    hint: "choose one on a terminal, or cut the picture to one code"))
        }
    }

    /// Takes the answer to the question that is open, and returns the next step.
    package mutating func next(_ answer: Answer? = nil) -> Next {
        let isAgain = isOpen
        if isOpen, end == nil { choose(answer ?? .no) }
        isOpen = true
        return end ?? .ask(.link(links.map(\.host), isAgain: isAgain))
    }

    /// By number.
    private mutating func choose(_ answer: Answer) {
        guard case .typed(let text) = answer, !text.isEmpty else {
            end = .end(.cancelled)
            return
        }
        if let number = Int(text), (1...links.count).contains(number) { end = .done(links[number - 1].link) }
    }

    private static func noLink(in codes: [String], _ kind: LinkKind, _ readers: LinkReaders) -> Failure {
        guard let only = codes.first else {
            return .usage(
                "there is no QR code in the picture",
                hint: "the code must be whole, with a light margin; enlarge it on the page, and take the picture again")
        }
        guard codes.count == 1 else {
            return .usage("none of the \(codes.count) codes in the picture is a bank link")
        }
        do {
            _ = try kind.read(only, by: readers)
        } catch let error as LinkError {
            return .usage(
                "the code in the picture is not a bank link: \(error.reason)", hint: "take the code that the bank shows"
            )
        } catch {
            return Failure(error)
        }
        return .usage("the code in the picture is not a bank link")
    }
}
