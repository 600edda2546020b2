/// An answer of the agent.
package struct LocalAnswer: Sendable {
    package var status: Int
    /// Names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    /// The first header of this name, in lower case.
    package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// One event of an event stream.
package struct StreamEvent: Sendable, Equatable {
    /// One line.
    package var name: String
    package var data: String

    package init(name: String, data: String) {
        self.name = name
        self.data = data
    }
}
