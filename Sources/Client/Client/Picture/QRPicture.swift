import Basics
import CPicture
import Glibc

/// Reads the QR codes in a PNG or JPEG picture. Pictures may be hostile, so their size is checked before they are
/// decoded, in a process of their own (`PictureProcess`).
package enum QRPicture {
    /// The most bytes of a picture's file. A screenshot of two large screens has fewer.
    static let mostBytes = 16 << 20
    /// The most pixels of a side.
    static let longestSide: UInt32 = 16_384
    /// The most pixels in all, at one byte each; an 8K screen has 33 million.
    static let mostPixels: UInt64 = 50_000_000

    /// The texts of the picture's codes, without duplicates; empty if it has no code. Throws a usage failure if it is
    /// no PNG or JPEG, damaged or too large.
    package static func codes(in bytes: [UInt8]) throws -> [String] {
        switch PictureProcess.read(bytes) {
        case .codes(let codes):
            var known: Set<String> = []
            return codes.filter { known.insert($0).inserted }
        case .failed(CPICTURE_FOREIGN):
            throw Failure.usage(
                "this is neither a PNG nor a JPEG picture", hint: "save the picture as PNG, and try again")
        case .failed(CPICTURE_TOO_LARGE):
            throw Failure.usage(
                "the picture has too many pixels: at most \(mostPixels / 1_000_000) million, and \(longestSide) on a side",
                hint: "cut it to the code, and try again")
        case .missing(let package):
            throw Failure(.internal, "a library that reads pictures is not installed", hint: "apt install \(package)")
        case .failed(CPICTURE_NO_MEMORY): throw Failure(.internal, "there is too little memory to read the picture")
        case .ended:
            throw Failure.usage(
                "the picture took too much time or memory, or is damaged", hint: "cut it to the code, and try again")
        case .failed:
            throw Failure.usage("the picture is damaged or incomplete", hint: "save it again, and try once more")
        }
    }
}

/// Reads a picture's file, up to the size limit.
package enum PictureFile {
    /// Throws a usage failure if it is not a regular file, cannot be read, or is too long.
    package static func bytes(at path: String) throws -> [UInt8] {
        // Opening a pipe without a writer must not block.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw unreadable(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure.usage("the picture's file is a directory")
        default:
            throw Failure.usage("the picture's file is not a regular file", hint: "to read it from a pipe: --image -")
        }
        guard status.st_size <= QRPicture.mostBytes else { throw tooLong }
        return try bytes(of: file)
    }

    /// Reads to the end, also from standard input.
    package static func bytes(of descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            // Reads at most the buffer's size, and the pointer is used only inside the call.
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= QRPicture.mostBytes else { throw tooLong }
        }
    }

    private static func unreadable(_ code: Int32) -> Failure {
        .usage(
            "the picture cannot be read: \(String(cString: strerror(code)).lowercased())",
            hint: "name a picture in PNG or JPEG, or see --screen and --clipboard")
    }

    static let tooLong = Failure.usage(
        "the picture is too long: at most \(QRPicture.mostBytes >> 20) MiB", hint: "cut it to the code, and try again")
}
