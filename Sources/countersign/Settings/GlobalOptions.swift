import Client
import ArgumentParser

/// The options that every command has, as values.
struct Options: Sendable {
    var json = false
    var quiet = false
    var noInput = false
    var pinFile: String?
    var home: String?
    var caFile: String?
    var verbose = false

    /// The options as they are typed.
    static let words = ["--json", "-q", "--quiet", "--no-input", "--pin-file", "--home", "--ca-file", "--verbose"]

    /// The PIN file of the option, or of `COUNTERSIGN_PIN_FILE`.
    var effectivePINFile: PINFile? {
        (pinFile ?? Environment.value("COUNTERSIGN_PIN_FILE")).map { PINFile(path: $0) }
    }
}

/// The options that every command has, as ArgumentParser parses them.
struct GlobalOptions: ParsableArguments {
    @Flag(name: .long, help: "Print the result as one JSON object.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print only ids, one a line, or nothing.")
    var quiet = false

    @Flag(name: .customLong("no-input"), help: "Never ask; fail with exit code 3 instead.")
    var noInput = false

    @Option(
        help: ArgumentHelp("Read the PIN from the first line of this file; - is standard input.", valueName: "path"),
        completion: .file())
    var pinFile: String?

    @Option(
        help: ArgumentHelp(
            "The directory of connections and log, instead of ~/.local/state/countersign.", valueName: "dir"),
        completion: .directory)
    var home: String?

    @Option(
        help: ArgumentHelp("Trust the certificate authorities in this PEM file too.", valueName: "path"),
        completion: .file())
    var caFile: String?

    @Flag(name: .long, help: "Name each call to a bank on standard error.")
    var verbose = false

    var values: Options {
        Options(
            json: json, quiet: quiet, noInput: noInput, pinFile: pinFile, home: home, caFile: caFile, verbose: verbose)
    }

    var effectivePINFile: PINFile? { values.effectivePINFile }

    /// An empty name comes from a script's unset variable: the person's own home would be used instead.
    func validate() throws {
        if home?.isEmpty == true { throw ValidationError("--home names no directory") }
    }
}
