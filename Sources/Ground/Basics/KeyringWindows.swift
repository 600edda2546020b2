/// An exception for processes in which the keyring may not open windows of its own (to ask for its password, for
/// example).
///
/// An agent is such a process, since nobody may be there to answer. It sets `areAllowed` for the check of a PIN while a
/// person waits for the result.
package enum KeyringWindows {
    /// Whether the keyring may open windows in this task all the same.
    @TaskLocal package static var areAllowed = false
}
