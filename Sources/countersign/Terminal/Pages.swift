/// Which lines of a long text stand on one page. It has no I/O.
struct Pages {
    /// The rows that each line takes.
    private let heights: [Int]
    /// The rows of a page.
    private let room: Int
    /// The lines of the page that is shown.
    private(set) var page: Range<Int>

    /// `first`: the first line of the page that is shown.
    init(heights: [Int], room: Int, from first: Int = 0) {
        (self.heights, self.room) = (heights, max(1, room))
        page = 0..<0
        page = filled(from: first)
    }

    var isFirst: Bool { page.lowerBound == 0 }
    var isLast: Bool { page.upperBound == heights.count }

    /// Goes to the next page; returns its lines.
    mutating func forward() -> Range<Int> {
        page = filled(from: page.upperBound)
        return page
    }

    /// Goes one line on; returns that line.
    mutating func lineForward() -> Range<Int> {
        let next = page.upperBound
        page = filled(upTo: next + 1)
        return next..<next + 1
    }

    /// Goes to the page before; returns its lines.
    mutating func back() -> Range<Int> {
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
