import Basics

/// The desktop's clipboard, read with wl-paste on Wayland and xclip on X11.
package enum Clipboard {
    package enum Content {
        case picture([UInt8])
        case text(String)
    }

    private struct Reader {
        var program: String
        var package: String
        /// The arguments that list the available formats, one per line.
        var list: [String]
        /// The arguments that output one format, which is appended.
        var get: [String]

        static let wayland = Reader(
            program: "wl-paste", package: "wl-clipboard", list: ["--list-types"], get: ["--no-newline", "--type"])
        static let x11 = Reader(
            program: "xclip", package: "xclip", list: ["-selection", "clipboard", "-out", "-target", "TARGETS"],
            get: ["-selection", "clipboard", "-out", "-target"])
    }

    private static let pictures = ["image/png", "image/jpeg"]
    private static let texts = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT"]

    /// The clipboard's picture, or its text if it holds none. Throws a failure if it holds neither, or if the program
    /// is missing; the hint then names its package.
    package static func content() throws -> Content {
        let readers =
            (Environment.value("WAYLAND_DISPLAY") == nil ? [] : [Reader.wayland])
            + (Environment.value("DISPLAY") == nil ? [] : [Reader.x11])
        guard let first = readers.first else {
            throw Failure.usage("there is no desktop here whose clipboard could be read", hint: "see --image and -")
        }
        for reader in readers {
            switch ProgramOutput.of(reader.program, reader.list, most: 65536) {
            case .missing: continue
            case .failed: throw empty
            case .bytes(let list): return try content(list, by: reader)
            }
        }
        throw Failure(
            .internal, "the clipboard is read by \(first.program), which is not installed",
            hint: "apt install \(first.package)")
    }

    private static func content(_ list: [UInt8], by reader: Reader) throws -> Content {
        let forms = Set(String(decoding: list, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init))
        guard let form = (pictures + texts).first(where: forms.contains) else { throw empty }
        switch ProgramOutput.of(reader.program, reader.get + [form], most: QRPicture.mostBytes) {
        case .bytes(let bytes) where pictures.contains(form): return .picture(bytes)
        case .bytes(let bytes): return .text(String(decoding: bytes, as: UTF8.self))
        case .missing, .failed:
            throw Failure.usage(
                "what was copied could not be read, or is longer than \(QRPicture.mostBytes >> 20) MiB",
                hint: "copy the code again, or see --image")
        }
    }

    private static let empty = Failure.usage(
        "the clipboard holds neither a picture nor text",
        hint: "copy the picture of the code, or the link, and try again")
}
