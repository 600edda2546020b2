import Basics
@testable import Display
import Foundation
import Testing

/// Pages as another implementation of the HTML standard reads them (Fixtures/html).
@Suite struct OtherParserTests {
    private struct Page: Decodable {
        var page: String
        var texts: [String]
    }

    private static let pages: [Page] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/html/pages.json")
        return (try? JSONDecoder().decode([Page].self, from: Data(contentsOf: file))) ?? []
    }()

    @Test("What html5lib shows of a page, a card shows too")
    func shown() throws {
        #expect(Self.pages.count == 1000)
        for page in Self.pages {
            let text = HTMLText(BankText(page.page), besides: DisplayText("Title")).text.line
            for word in page.texts.flatMap({ $0.split(separator: " ") }) {
                #expect(text.contains(word), "\(word) of \(page.page.debugDescription) in \(text.debugDescription)")
            }
        }
    }
}
