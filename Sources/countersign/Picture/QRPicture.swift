import Basics
import CPicture
import Glibc

/// Reads the QR codes in a PNG or JPEG picture. Pictures come from anywhere, so how large one may be is settled before a byte of it
/// is decoded.
enum QRPicture {
    /// Bytes of a picture's file. A screenshot of two large screens has less.
    static let mostBytes = 16 << 20
    /// Pixels of a side.
    private static let longestSide: UInt32 = 16_384
    /// Pixels in all, at one byte each; a screen of 8K has 33 million.
    private static let mostPixels: UInt64 = 50_000_000

    /// The texts of its codes, each once; none where it has no code. Throws a usage failure for what is no such picture, or too large.
    static func codes(in bytes: [UInt8]) throws -> [String] {
        var codes: [String] = []
        var missing: UnsafePointer<CChar>?
        // All pointers last for the call; the callback runs within it, and copies the text that it is given.
        let result = withUnsafeMutablePointer(to: &codes) { codes in
            cpicture_codes(
                bytes, bytes.count, longestSide, mostPixels,
                { context, text, length in
                    let text = String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
                    context?.assumingMemoryBound(to: [String].self).pointee.append(text)
                }, codes, &missing)
        }
        switch result {
        case CPICTURE_READ:
            var known: Set<String> = []
            return codes.filter { known.insert($0).inserted }
        case CPICTURE_FOREIGN:
            throw Failure.usage(
                "this is neither a PNG nor a JPEG picture", hint: "save the picture as PNG, and try again")
        case CPICTURE_TOO_LARGE:
            throw Failure.usage(
                "the picture has too many pixels: at most \(mostPixels / 1_000_000) million, and \(longestSide) on a side",
                hint: "cut it to the code, and try again")
        case CPICTURE_NO_LIBRARY:
            // The text lasts for the whole run.
            let package = missing.map { String(cString: $0) } ?? "libzbar0"
            throw Failure(.internal, "a library that reads pictures is not installed", hint: "apt install \(package)")
        case CPICTURE_NO_MEMORY: throw Failure(.internal, "there is too little memory to read the picture")
        default: throw Failure.usage("the picture is damaged, or not whole", hint: "save it again, and try once more")
        }
    }
}

/// The bytes of a picture's file, as many as a picture may have.
enum PictureFile {
    /// Throws a usage failure for what is no ordinary file, cannot be read, or is too long.
    static func bytes(at path: String) throws -> [UInt8] {
        // A pipe without a writer must not keep us here.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw unreadable(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure.usage("the picture's file is a directory")
        default:
            throw Failure.usage("the picture's file is no ordinary file", hint: "to read it from a pipe: --image -")
        }
        guard status.st_size <= QRPicture.mostBytes else { throw tooLong }
        return try bytes(of: file)
    }

    /// All that comes, for standard input.
    static func bytes(of descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            // As many bytes as the buffer has, used only inside the call.
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= QRPicture.mostBytes else { throw tooLong }
        }
    }

    private static func unreadable(_ code: Int32) -> Failure {
        .usage("the picture cannot be read: \(String(cString: strerror(code)))")
    }

    static let tooLong = Failure.usage(
        "the picture is too long: at most \(QRPicture.mostBytes >> 20) MiB", hint: "cut it to the code, and try again")
}
