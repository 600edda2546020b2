/// The result of looking for a service's description of itself.
public struct ResourceDescription: Sendable, Equatable {
    /// Nil if the service does not describe itself.
    public var metadata: ResourceMetadata?
    /// The other places that were tried, each with the reason why the description is not there.
    public var tried: [IssuerError.Tried]

    public init(_ metadata: ResourceMetadata?, tried: [IssuerError.Tried] = []) {
        self.metadata = metadata
        self.tried = tried
    }
}
