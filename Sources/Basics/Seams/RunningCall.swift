/// A call to a bank, while it runs: all processes see it. It is over with `end`, when nobody holds it any more, and when the
/// process dies.
public protocol RunningCall: AnyObject, Sendable {
    func end()
}
