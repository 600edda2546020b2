import Dialogue
import Pinentry
import Testing

/// The way through pages, by the buttons that a person presses.
@Suite struct PinentryPagesTests {
    struct Story: Sendable, CustomTestStringConvertible {
        var count: Int
        var skip: StaticString?
        var pressed: [Answer]
        /// Each window's headline, default button and third one, if there is one.
        var windows: [String]
        var end: Answer?

        var testDescription: String { "\(count) pages, \(skip ?? "no skip"), \(pressed)" }
    }

    static let stories = [
        Story(count: 0, pressed: [], windows: [], end: .yes),
        Story(count: 1, pressed: [.yes], windows: ["1 Go"], end: .yes),
        Story(count: 1, pressed: [.no], windows: ["1 Go"], end: .no),
        Story(count: 1, skip: "Skip", pressed: [.other], windows: ["1 Go/Skip"], end: .other),
        Story(count: 1, skip: "Skip", pressed: [.yes], windows: ["1 Go/Skip"], end: .yes),
        Story(count: 2, skip: "Skip", pressed: [.other], windows: ["1 Next/Skip"], end: .other),
        Story(count: 2, pressed: [.yes, .other], windows: ["1 Next", "2 Back/Go"], end: .yes),
        Story(
            count: 3, pressed: [.yes, .yes, .other], windows: ["1 Next", "2 Next/Back", "3 Back/Go"], end: .yes),
        // Enter alone never leads on from the last page.
        Story(
            count: 3, pressed: [.yes, .yes, .yes, .yes, .yes],
            windows: ["1 Next", "2 Next/Back", "3 Back/Go", "2 Next/Back", "3 Back/Go", "2 Next/Back"], end: nil),
        Story(
            count: 3, pressed: [.yes, .other, .yes, .yes, .no],
            windows: ["1 Next", "2 Next/Back", "1 Next", "2 Next/Back", "3 Back/Go"], end: .no),
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
