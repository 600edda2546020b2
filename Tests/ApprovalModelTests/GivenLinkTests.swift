import Basics
import Synchronization
import Testing
@testable import ApprovalModel

/// A link is parsed once in each process that uses it.
@Suite struct GivenLinks {
    /// Counts the links that it parses.
    private final class Counter: LinkReader {
        let count = Mutex(0)

        func read(_ link: LinkText) throws(LinkError) -> Link? {
            count.withLock { $0 += 1 }
            let id = BankText(String(link.text))
            return .action(ActionLink(id: id, bank: id, returnTo: nil, isFor: { _ in true }, content: ()))
        }
    }

    private static let text = "fern:ask?id=77"

    @Test func oneThatWasParsedIsNotParsedAgain() throws {
        let counter = Counter()
        let readers = LinkReaders([counter])
        let link = try GivenLink(Self.text, by: readers)
        for _ in 0..<3 { #expect(try link.read(by: readers).acting().id.untrusted == Self.text) }
        #expect(counter.count.withLock(\.self) == 1)
    }

    @Test func theSocketCarriesItsTextAlone() throws {
        let counter = Counter()
        let readers = LinkReaders([counter])
        let sent = try JSONForm.encode([try GivenLink(Self.text, by: readers)])
        #expect(String(decoding: sent, as: UTF8.self) == "[\"\(Self.text)\"]")
        let received = try #require(try JSONForm.decode([GivenLink].self, from: sent).first)
        #expect(counter.count.withLock(\.self) == 1)
        #expect(try received.read(by: readers).acting().id.untrusted == Self.text)
        #expect(counter.count.withLock(\.self) == 2)
    }
}
