/// The version of this program, as `--version`, the user agent and the manual tell it.
public enum ProductVersion {
    public static let text = "0.1.0"
}
