/// Whether the keyring may show its windows for a PIN that is checked now, in a process that lets it show none otherwise: an
/// agent, while a person waits for the answer.
public enum KeyringWindows {
    @TaskLocal public static var areAllowed = false
}
