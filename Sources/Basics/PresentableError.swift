/// An error that says itself what a person is told, and with which exit code a command ends. For the errors of rooms that the
/// use-cases may not see.
public protocol PresentableError: Error {
    var failure: Failure { get }
}
