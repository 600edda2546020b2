/// The result of looking for a service's description of itself.
package struct ResourceDescription: Sendable, Equatable {
    /// Nil if the service does not describe itself.
    package var metadata: ResourceMetadata?
    /// The other places that were tried, each with the reason why the description is not there.
    package var tried: [IssuerError.Tried]

    package init(_ metadata: ResourceMetadata?, tried: [IssuerError.Tried] = []) {
        self.metadata = metadata
        self.tried = tried
    }
}
