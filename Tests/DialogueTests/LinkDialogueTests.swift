import ApprovalModel
import Basics
import Dialogue
import Display
import Testing

/// Links of banks, whose last part is the secret: `fern:bank/HOST/SECRET`.
private struct FernLinks: LinkReader {
    func read(_ link: LinkText) throws(LinkError) -> Link? {
        guard link.scheme == "fern" else { return nil }
        guard let host = link.text.split(separator: "/").dropFirst().first,
            let address = try? WebAddress("https://\(host)/")
        else { throw LinkError(.incomplete, "no host") }
        return .connect(ConnectLink(wires: [WireProtocol(rawValue: "fern")], address: address, content: ()))
    }
}

@Suite struct LinkDialogues {
    private static let (ash, oak, web) = ("fern:bank/ash.example/s1", "fern:bank/oak.example/s2", "https://x.example/")

    /// The questions after these answers, and the end: a link, or the failure.
    private func walk(
        _ codes: [String], _ answers: [Answer] = [], _ audience: Audience = .person(typesWords: true)
    ) -> (asks: [Ask], link: String?, failure: Failure?) {
        var dialogue = LinkDialogue(among: codes, .bank, by: LinkReaders([FernLinks()]), before: audience)
        var (answers, asks, next) = (answers[...], [Ask](), dialogue.next())
        while case .ask(let ask) = next {
            asks.append(ask)
            next = dialogue.next(answers.popFirst())
        }
        switch next {
        case .ask: return (asks, nil, nil)
        case .done(let link): return (asks, link.text, nil)
        case .end(let failure): return (asks, nil, failure)
        }
    }

    /// Other codes are passed by.
    @Test func theOnlyLinkIsTaken() {
        for audience in [Audience.person(typesWords: true), .person(typesWords: false), .nobody] {
            let (asks, link, _) = walk([Self.web, Self.oak], [], audience)
            #expect(asks.isEmpty && link == Self.oak)
        }
    }

    @Test func thePersonChoosesByTheHost() {
        let (asks, link, _) = walk([Self.ash, Self.web, Self.oak], [.typed("3"), .typed("oak"), .typed("2")])
        let hosts = ["ash.example", "oak.example"].map { DisplayText($0) }
        #expect(
            asks == [.link(hosts, isAgain: false), .link(hosts, isAgain: true), .link(hosts, isAgain: true)]
                && link == Self.oak)
        for answer in [Answer.no, .typed("")] { #expect(walk([Self.ash, Self.oak], [answer]).failure == .cancelled) }
    }

    @Test func whereNobodyIsTheHostsAreNamed() {
        let (asks, _, failure) = walk([Self.ash, Self.oak], [], .nobody)
        #expect(asks.isEmpty && failure?.message == "the picture has 2 codes, for ash.example, oak.example")
    }

    @Test(arguments: [
        (codes: [], words: "there is no QR code in the picture"),
        ([web], "the code in the picture is not a bank link: links of the scheme https are not for this program"),
        (["fern:bank"], "the code in the picture is not a bank link: no host"),
        ([web, "fern:bank"], "none of the 2 codes in the picture is a bank link"),
    ]) func aPictureWithoutALinkSaysWhy(codes: [String], words: String) {
        let (_, _, failure) = walk(codes)
        #expect(failure?.kind == .usage && failure?.message == words)
    }
}
