/// A program that runs other people's text. Its own file does not identify it, so a process of it is known by its
/// script. Without a known script it belongs to no program.
///
///     Interpreter(file: "/usr/bin/python3.11")?.script(in: ["python3", "-u", "/usr/local/bin/backup"])  // "/usr/local/bin/backup"
package enum Interpreter: Sendable {
    case python, perl, shell
    /// A program that contains many programs; the first word of the command line names the one that runs.
    case busybox
    /// Takes its script as the first word.
    case other
    /// Its first word is program text, or a file to show, and no script.
    case nameless

    /// Recognizes an interpreter of any version by its file's name: `/usr/bin/python3.11`, `beam.smp`,
    /// `ld-linux-x86-64.so.2`. Nil for any other file.
    package init?(file: String) {
        guard let name = file.split(separator: "/").last else { return nil }
        let bare = String(name.prefix { !("0"..."9").contains($0) && $0 != "-" && $0 != "." })
        guard let found = Self.known.first(where: { $0.value.contains(bare) })?.key else { return nil }
        self = found
    }

    private static let known: [Interpreter: Set<String>] = [
        .python: ["python", "pypy"],
        .perl: ["perl"],
        .shell: ["sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh", "lksh", "yash"],
        .busybox: ["busybox", "toybox"],
        .other: [
            "beam", "bun", "deno", "dotnet", "elvish", "erl", "expect", "fish", "gjs", "guile", "java", "julia", "ld",
            "lua",
            "luajit", "mono", "node", "nodejs", "nu", "ocaml", "octave", "php", "pwsh", "qemu", "R", "racket", "ruby",
            "tclsh",
            "wine", "wish", "xonsh",
        ],
        .nameless: ["awk", "emacs", "gawk", "gdb", "irb", "mawk", "original", "sed"],
    ]

    /// The path of the script that a process runs, read from its command line. Nil if that is not certain: the text came as an
    /// option or on standard input, the word may belong to an option, or the path is relative to a folder, which the process may
    /// change.
    package func script(in words: [String]) -> String? {
        guard let first = words.first else { return nil }
        if case .busybox = self {
            let name = first.split(separator: "/").last ?? ""
            return name == "sh" || name == "ash" ? Self.shell.script(in: words) : nil
        }
        guard let letters = harmless, let word = words.dropFirst().first(where: { !Self.isMade(of: letters, $0) }),
            word.hasPrefix("/")
        else { return nil }
        return word
    }

    /// The options that take no word and contain no code. Nil if no word can be the script.
    private var harmless: Set<Character>? {
        switch self {
        case .python: Set("bBdEIOqsSuvx")
        case .perl: Set("tTuUwWX")
        case .shell: Set("efuvx")
        case .other: []
        case .busybox, .nameless: nil
        }
    }

    /// Whether the word is an option made only of these letters.
    private static func isMade(of letters: Set<Character>, _ word: String) -> Bool {
        word.hasPrefix("-") && word.count > 1 && word.dropFirst().allSatisfy(letters.contains)
    }
}
