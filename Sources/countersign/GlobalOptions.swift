import ArgumentParser
import Glibc

/// The options that every command has.
struct GlobalOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print only ids, or nothing.")
    var quiet = false

    @Flag(name: .customLong("no-input"), help: "Never ask: fail with exit code 3 instead.")
    var noInput = false

    @Option(help: ArgumentHelp("Read the PIN from the first line of a file; - is standard input.", valueName: "path"))
    var pinFile: String?

    @Option(help: ArgumentHelp("Keep everything in this directory.", valueName: "dir"))
    var home: String?

    @Option(help: ArgumentHelp("Trust the certificates in this PEM file too.", valueName: "path"))
    var caFile: String?

    @Flag(name: .long, help: "Say on standard error what is done.")
    var verbose = false

    /// The PIN file of the option, or of `COUNTERSIGN_PIN_FILE`.
    var effectivePINFile: PINFile? {
        (pinFile ?? Environment.value("COUNTERSIGN_PIN_FILE")).map { PINFile(path: $0) }
    }
}

/// Environment variables; an empty one counts as not set.
enum Environment {
    static func value(_ name: String) -> String? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return String(cString: pointer)
    }
}
