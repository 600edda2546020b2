import Client
import ArgumentParser
import Basics
import Dialogue
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
            return try LinkError.inQuotes { try kind.read(text, by: context.links).link }
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
        return try kind.read(link, by: context.links).link
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

    private func chosen(of codes: [String], _ context: Context, _ kind: LinkKind) throws -> GivenLink {
        let audience = context.terminal.isInteractive ? Audience.person(typesWords: true) : .nobody
        var dialogue = LinkDialogue(among: codes, kind, by: context.links, before: audience)
        var next = dialogue.next()
        while case .ask(let ask) = next { next = dialogue.next(try context.prompts.answer(ask)) }
        switch next {
        case .done(let link): return link
        case .end(let failure): throw failure
        case .ask: throw Failure.cancelled
        }
    }
}

extension String {
    /// The text without the white space around it that is often copied along.
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
