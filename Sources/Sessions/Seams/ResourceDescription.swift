/// What was found where a service may describe itself.
public struct ResourceDescription: Sendable, Equatable {
    /// Nil where it does not.
    public var metadata: ResourceMetadata?
    /// Where else it was looked for, each with why it is not there.
    public var tried: [IssuerError.Tried]

    public init(_ metadata: ResourceMetadata?, tried: [IssuerError.Tried] = []) {
        self.metadata = metadata
        self.tried = tried
    }
}
