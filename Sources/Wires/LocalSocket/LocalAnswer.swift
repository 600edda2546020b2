/// An answer of the agent.
public struct LocalAnswer: Sendable {
    public var status: Int
    /// Names in lower case.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    /// The first header of this name, in lower case.
    public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// One event of an event stream.
public struct StreamEvent: Sendable, Equatable {
    /// One line.
    public var name: String
    public var data: String

    public init(name: String, data: String) {
        self.name = name
        self.data = data
    }
}
