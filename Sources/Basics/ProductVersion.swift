/// The version of this program, as `--version`, the user agent, the agent's handshake and the package tell it. It rises with
/// each release, and `CHANGELOG.md` begins with it.
public enum ProductVersion {
    public static let text = "0.2.0"
}
