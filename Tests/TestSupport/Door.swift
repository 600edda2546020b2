/// A door that opens once, for all who wait at it and all who come later.
package final class Door: Sendable {
    private let (entries, open) = AsyncStream.makeStream(of: Never.self)

    package init() {}

    package func unlock() { open.finish() }
    package func passes() async { for await _ in entries {} }
}
