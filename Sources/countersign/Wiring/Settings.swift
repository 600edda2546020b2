import Agent
import FoundationEssentials
import SCA
import TOMLKit

/// `$XDG_CONFIG_HOME/countersign/config.toml`. Every key has a default, and no file is needed; a faulty file is an error
/// that names line or key.
struct Settings: Sendable {
    /// What the bank is told we run on; the apps say `android` or `ios` (saltedge-v1 section 4.1).
    var platform = "android"
    /// Link schemes that are accepted; white-label banks have their own (saltedge-v1 section 2.5).
    var schemes = ["authenticator"]
    /// What `--callback paste` and `--callback scheme` send as the return URL (saltedge-v1 section 2.5).
    var returnURL = "authenticator://oauth/redirect"
    /// Where the PIN is asked for; `auto` takes a pinentry where a display is and no terminal.
    var pinPrompt = PINPrompt.auto
    /// The pinentry's path, or a name that is looked for in PATH.
    var pinentry = "pinentry"
    /// A position per connection, for banks that want one.
    var geolocation: [String: Geolocation] = [:]

    enum PINPrompt: String {
        case auto, pinentry, terminal
    }

    static func load() throws -> Settings {
        let path = path()
        guard let data = FileManager.default.contents(atPath: path) else {
            guard !FileManager.default.fileExists(atPath: path) else {
                throw Failure.usage("\(path) cannot be read", hint: "every setting has a default, so it may be removed")
            }
            return Settings()
        }
        do {
            return try Settings(toml: String(decoding: data, as: UTF8.self))
        } catch let error as SettingsError {
            throw Failure.usage(
                "\(path): \(error.reason)", hint: "mend the file, or remove it: every setting has a default")
        }
    }

    static func path() -> String {
        let base = Environment.value("XDG_CONFIG_HOME") ?? (Environment.value("HOME") ?? "") + "/.config"
        return base + "/countersign/config.toml"
    }

    /// Throws `SettingsError`.
    init(toml text: String) throws {
        if let line = Self.headerWithoutKey(in: text) { throw SettingsError(reason: "line \(line): not valid TOML") }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw SettingsError(reason: "line \(error.source.begin.line): not valid TOML")
        }
        for key in table.keys {
            switch key {
            case "platform":
                guard let value = table[key]?.string, (1...32).contains(value.utf8.count) else {
                    throw SettingsError(reason: "platform: a text of 1 to 32 characters is expected")
                }
                platform = value
            case "schemes":
                guard let list = table[key]?.array, !list.isEmpty else {
                    throw SettingsError(reason: "schemes: a list of texts is expected")
                }
                schemes = try list.map { item in
                    guard let value = item.string, !value.isEmpty else {
                        throw SettingsError(reason: "schemes: a list of texts is expected")
                    }
                    return value.lowercased()
                }
            case "return_url":
                guard let value = table[key]?.string, value.contains("://") else {
                    throw SettingsError(reason: "return_url: an address with a scheme is expected")
                }
                returnURL = value
            case "pin_prompt":
                guard let value = table[key]?.string.flatMap(PINPrompt.init) else {
                    throw SettingsError(reason: "pin_prompt: \"auto\", \"pinentry\" or \"terminal\" is expected")
                }
                pinPrompt = value
            case "pinentry":
                guard let value = table[key]?.string, value.hasPrefix("/") else {
                    throw SettingsError(reason: "pinentry: a path that begins with / is expected")
                }
                pinentry = value
            case "geolocation":
                guard let places = table[key]?.table else {
                    throw SettingsError(reason: "geolocation: a table of connection names is expected")
                }
                for name in places.keys {
                    guard let text = places[name]?.string, let place = Geolocation(text) else {
                        throw SettingsError(reason: "geolocation.\(name): \"LAT,LON\" in decimal degrees is expected")
                    }
                    geolocation[name] = place
                }
            default:
                throw SettingsError(reason: "\(key): there is no such setting")
            }
        }
    }

    /// The first line with a table header that does not begin with a key (`[[[`, `[=]`): the parser, which takes a key there
    /// for granted, would end the program.
    private static func headerWithoutKey(in text: String) -> Int? {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.firstIndex { line in
            var rest = line.drop { $0 <= 0x20 || $0 >= 0x80 }
            guard rest.first == UInt8(ascii: "[") else { return false }
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
            guard let key = rest.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return true }
            let letter = key | 0x20
            return !((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || #"0123456789-_"']"#.utf8.contains(key))
        }.map { $0 + 1 }
    }

    init() {}
}

/// What is wrong with the settings.
struct SettingsError: Error {
    var reason: String
}
