/// The elements that are open while a page is read, the innermost last. It knows where each name stands, so that a tag
/// takes the same time however deep it is nested.
struct OpenElements {
    struct Element {
        var name: String
        /// `a`: where it leads, and where its text begins. `option`: whether it is the chosen one.
        var target: String?
        var begin = 0
        var isChosen = false
        /// `select`: its options; `ol` and `ul`: their items; `table`: cells of the row so far.
        var count = 0
        /// `table`: a table stood within the cell that was read last.
        var hasInner = false
    }

    /// Elements that are nested deeper than this have no effect; their content is shown.
    private static let deepest = 400

    private var elements: [Element] = []
    private var places: [String: [Int]] = [:]

    var count: Int { elements.count }
    var last: Element? { elements.last }

    subscript(index: Int) -> Element {
        get { elements[index] }
        set { elements[index] = newValue }
    }

    /// Returns false if it is nested too deep.
    mutating func push(_ element: Element) -> Bool {
        guard elements.count < Self.deepest else { return false }
        places[element.name, default: []].append(elements.count)
        elements.append(element)
        return true
    }

    mutating func pop() -> Element? {
        guard let element = elements.popLast() else { return nil }
        places[element.name]?.removeLast()
        return element
    }

    /// The place of the innermost element with one of these names.
    func innermost(_ names: Set<String>) -> Int? { names.compactMap { places[$0]?.last }.max() }
}
