/// Which lines of a long text stand on one page of a screen. It has no I/O.
package struct Pages {
    /// The rows that a question needs below its subject: the recap, the PIN up to three times, and the error after a
    /// wrong PIN.
    private static let rowsOfQuestion = 8
    /// The rows beside a page: where it went back to, and which lines it has.
    private static let rowsBeside = 2

    /// The rows that each line takes.
    private let heights: [Int]
    /// The rows of a page.
    private let room: Int
    /// The lines of the page that is shown.
    package private(set) var page: Range<Int>
    /// Whether all lines stay in sight above a question.
    package let isInSight: Bool

    /// `rows`: those of the screen. `first`: the first line of the page that is shown.
    package init(heights: [Int], rows: Int, from first: Int = 0) {
        (self.heights, room) = (heights, max(1, rows - Self.rowsBeside))
        isInSight = heights.reduce(0, +) <= rows - Self.rowsOfQuestion
        page = 0..<0
        page = filled(from: first)
    }

    package var isFirst: Bool { page.lowerBound == 0 }
    package var isLast: Bool { page.upperBound == heights.count }

    /// Goes to the next page; returns its lines.
    package mutating func forward() -> Range<Int> {
        page = filled(from: page.upperBound)
        return page
    }

    /// Goes one line on; returns that line.
    package mutating func lineForward() -> Range<Int> {
        let next = page.upperBound
        page = filled(upTo: next + 1)
        return next..<next + 1
    }

    /// Goes to the page before; returns its lines.
    package mutating func back() -> Range<Int> {
        page = filled(from: filled(upTo: page.lowerBound).lowerBound)
        return page
    }

    /// As many lines as fit, at least one.
    private func filled(from first: Int) -> Range<Int> {
        var (end, used) = (first, 0)
        while end < heights.count, end == first || used + heights[end] <= room {
            used += heights[end]
            end += 1
        }
        return first..<end
    }

    private func filled(upTo end: Int) -> Range<Int> {
        var (first, used) = (end, 0)
        while first > 0, first == end || used + heights[first - 1] <= room {
            used += heights[first - 1]
            first -= 1
        }
        return first..<end
    }
}
