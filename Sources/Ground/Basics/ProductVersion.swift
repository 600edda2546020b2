/// The version of this program, for `--version`, the user agent, the agent's handshake and the Debian package. It rises
/// with each release; `CHANGELOG.md` begins with the same number.
package enum ProductVersion {
    package static let text = "0.2.0"
}
