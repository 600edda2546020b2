import Pinentry
import Testing

/// The way through pages, by the buttons that a person presses.
@Suite struct PinentryPagesTests {
    struct Story: Sendable, CustomTestStringConvertible {
        var count: Int
        var skip: StaticString?
        var pressed: [PinentryChoice]
        /// Each window's headline, default button and third one, if there is one.
        var windows: [String]
        var end: PinentryPages.End?

        var testDescription: String { "\(count) pages, \(skip ?? "no skip"), \(pressed)" }
    }

    static let stories = [
        Story(count: 0, pressed: [], windows: [], end: .read),
        Story(count: 1, pressed: [.ok], windows: ["1 Go"], end: .read),
        Story(count: 1, pressed: [.cancel], windows: ["1 Go"], end: .cancelled),
        Story(count: 1, skip: "Skip", pressed: [.other], windows: ["1 Go/Skip"], end: .skipped),
        Story(count: 1, skip: "Skip", pressed: [.ok], windows: ["1 Go/Skip"], end: .read),
        Story(count: 2, skip: "Skip", pressed: [.other], windows: ["1 Next/Skip"], end: .skipped),
        Story(count: 2, pressed: [.ok, .other], windows: ["1 Next", "2 Back/Go"], end: .read),
        Story(
            count: 3, pressed: [.ok, .ok, .other], windows: ["1 Next", "2 Next/Back", "3 Back/Go"], end: .read),
        // Enter alone never leads on from the last page.
        Story(
            count: 3, pressed: [.ok, .ok, .ok, .ok, .ok],
            windows: ["1 Next", "2 Next/Back", "3 Back/Go", "2 Next/Back", "3 Back/Go", "2 Next/Back"], end: nil),
        Story(
            count: 3, pressed: [.ok, .other, .ok, .ok, .cancel],
            windows: ["1 Next", "2 Next/Back", "1 Next", "2 Next/Back", "3 Back/Go"], end: .cancelled),
    ]

    @Test(arguments: stories) func leads(_ story: Story) {
        let headlines: [StaticString] = ["1", "2", "3"]
        var pages = PinentryPages(
            headlines.prefix(story.count).map { PinentryQuestion($0) }, onward: "Go", skip: story.skip)
        var windows: [String] = []
        func look() {
            guard let page = pages.current else { return }
            windows.append("\(page.headline) \(page.ok)" + (page.other.map { "/\($0)" } ?? ""))
        }
        look()
        for choice in story.pressed {
            pages.take(choice)
            look()
        }
        #expect(windows == story.windows)
        #expect(pages.end == story.end)
    }
}
