/// A mark, visible to all processes of this home, that a call to a bank is running. The mark goes with `end`, with the
/// last reference to this object, and when the process dies.
package protocol RunningCall: AnyObject, Sendable {
    func end()
}
