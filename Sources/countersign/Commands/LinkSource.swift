import Client
import ArgumentParser
import Basics
import Display
import Glibc
import ApprovalModel

/// The options that say where a link comes from.
struct LinkOptions: ParsableArguments {
    @Argument(help: "The link; - reads it from standard input, after the PIN if that comes from there too.")
    var link: String?

    @Option(
        help: ArgumentHelp("Read the QR code in this picture (PNG or JPEG); - is standard input.", valueName: "file"),
        completion: .file())
    var image: String?

    @Flag(help: "Read the QR code or the link on the clipboard.") var clipboard = false

    @Flag(help: "Let the desktop take a screenshot, and read the QR code in it.") var screen = false

    func validate() throws {
        let given = [link != nil, image != nil, clipboard, screen]
        guard given.count(where: { $0 }) <= 1 else {
            throw ValidationError("a link, --image, --clipboard and --screen exclude each other")
        }
    }

    var source: LinkSource {
        if let image { return .image(image) }
        if clipboard { return .clipboard }
        if screen { return .screen }
        return link.map { $0 == "-" ? .standardInput : .text($0) } ?? .asked
    }
}

/// The use that a command makes of its link.
enum LinkKind {
    case bank, action

    /// The host or bank of the link, without the rest, which may be secret. Throws for a link of the other kind.
    func host(of link: Link) throws -> DisplayText {
        switch self {
        case .bank: DisplayText(try link.connecting().address.hostForPeople)
        case .action: DisplayText(try link.acting().bank)
        }
    }

    /// Parses a link of this kind, and returns it with its host.
    func read(_ text: String, _ context: Context) throws -> (link: GivenLink, host: DisplayText) {
        let link = try GivenLink(text, by: context.links)
        return (link, try host(of: link.read(by: context.links)))
    }
}

/// Where a link comes from.
enum LinkSource {
    case asked, standardInput
    case text(String)
    /// It was read already.
    case given(GivenLink)
    /// The path of a picture, or `-`.
    case image(String)
    case clipboard, screen

    /// Gets and checks the link before the PIN is asked for; nil if the link comes after the PIN on standard input.
    func early(_ context: Context, _ kind: LinkKind) async throws -> GivenLink? {
        let link: String
        switch self {
        case .standardInput: return nil
        case .text(let text):
            return try LinkError.inQuotes { try kind.read(text, context).link }
        case .given(let link): return link
        case .asked:
            link = try context.terminal.paste(
                "Link: ",
                missing: Failure(
                    .locked, "no link is given, and there is no terminal to ask for it",
                    hint: "pass it on standard input, with - as the argument"))
        case .image(let path): return try chosen(of: try QRPicture.codes(in: picture(at: path, context)), context, kind)
        case .clipboard:
            switch try Clipboard.content() {
            case .picture(let bytes): return try chosen(of: try QRPicture.codes(in: bytes), context, kind)
            case .text(let text): link = text.trimmingSpace
            }
        case .screen: return try chosen(of: try await codesOnScreen(context), context, kind)
        }
        return try kind.read(link, context).link
    }

    private func picture(at path: String, _ context: Context) throws -> [UInt8] {
        guard path == "-" else { return try PictureFile.bytes(at: path) }
        guard context.options.effectivePINFile?.path != "-" else {
            throw Failure.usage("the PIN and the picture cannot both come from standard input")
        }
        guard isatty(STDIN_FILENO) == 0 else {
            throw Failure.usage("no picture comes from a terminal", hint: "give a file to --image, or pass one: <FILE")
        }
        return try PictureFile.bytes(of: STDIN_FILENO)
    }

    /// Takes a screenshot. Deletes its file as soon as it was read, since anybody who finds it could use the code.
    private func codesOnScreen(_ context: Context) async throws -> [String] {
        guard !context.options.noInput else { throw Failure.mayNotAsk }
        Terminal.say("The desktop takes a picture of the screen; choose the part with the code where it asks.")
        let path = try await ScreenPicture.take()
        defer { unlink(path) }
        return try QRPicture.codes(in: try PictureFile.bytes(at: path))
    }

    /// The only code that is a link of this kind; if there are several, the person chooses. Only the host of a code is
    /// ever shown.
    private func chosen(of codes: [String], _ context: Context, _ kind: LinkKind) throws -> GivenLink {
        let links = codes.compactMap { try? kind.read($0, context) }
        guard let first = links.first else { throw try noLink(in: codes, context, kind) }
        guard links.count > 1 else { return first.link }
        guard context.terminal.isInteractive else {
            let hosts = links.map { $0.host.line(within: 60) }.joined(separator: ", ")
            throw Failure.usage(
                "the picture has \(links.count) codes, for \(hosts)",
                hint: "choose one on a terminal, or cut the picture to one code")
        }
        Terminal.say("The picture has \(links.count) codes:")
        for (index, link) in links.enumerated() { Terminal.say("  \(index + 1)  \(link.host.line(within: 60))") }
        while true {
            let answer = try context.terminal.line("Which one, 1 to \(links.count) (empty cancels)? ")
            if answer.isEmpty { throw Failure.cancelled }
            if let number = Int(answer), (1...links.count).contains(number) { return links[number - 1].link }
            Terminal.say("That is none of them.")
        }
    }

    /// The failure when none of the codes is a link of this kind.
    private func noLink(in codes: [String], _ context: Context, _ kind: LinkKind) throws -> Failure {
        guard let only = codes.first else {
            return .usage(
                "there is no QR code in the picture",
                hint: "the code must be whole, with a light margin; enlarge it on the page, and take the picture again")
        }
        guard codes.count == 1 else {
            return .usage("none of the \(codes.count) codes in the picture is a bank link")
        }
        do {
            _ = try kind.read(only, context)
        } catch let error as LinkError {
            return .usage(
                "the code in the picture is not a bank link: \(error.reason)", hint: "take the code that the bank shows"
            )
        }
        return .usage("the code in the picture is not a bank link")
    }
}

extension String {
    /// The text without the white space around it that is often copied along.
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
