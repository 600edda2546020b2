import Display

/// A fault in the settings, and its place.
struct SettingsError: Error {
    /// Counted from 1; nil if the key's line cannot be found.
    private var line: Int?
    /// Dotted, with the names of its tables; nil if no key can be read.
    private var key: String?
    private var reason: String

    /// The error for a line that is not valid TOML.
    init(line: Int, in text: SettingsText) {
        self.line = line
        key = text.key(at: line).map(SettingsTable.name)
        reason = "not valid TOML"
    }

    init(_ fault: SettingsTable.Fault, in text: SettingsText) {
        line = text.line(of: fault.key)
        key = SettingsTable.name(fault.key)
        reason = fault.reason
    }

    /// One line, safe to show.
    var text: String {
        DisplayText([line.map { "line \($0)" }, key, reason].compactMap(\.self).joined(separator: ": ")).line
    }
}
