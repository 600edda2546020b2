import Basics
import CPicture
import CPlatform
import Glibc

/// A process that decodes a picture for this one.
///
/// The bytes of a picture come from outside, and go through libraries that read a hundred kinds of it. So the program is started anew
/// under another name: that process gets the picture and nothing else, has limits on memory and time, and answers with the texts of the
/// codes. If it crashes or exceeds a limit, only this picture is lost.
package enum PictureProcess {
    /// The program's name (`argv[0]`) that makes it this process.
    package static let name = "countersign-picture"

    enum Answer {
        case codes([String])
        /// A library is missing: the name of its Debian package.
        case missing(package: String)
        case failed(CPictureResult)
        /// The process crashed, exceeded a limit, or could not be started.
        case ended
    }

    /// Bytes of memory, including the program's own. The largest picture takes a third.
    private static let memory: rlim_t = 1 << 30
    /// Seconds on a processor. The largest picture takes a few.
    private static let time: rlim_t = 20
    /// A picture has room for a few thousand codes of the smallest kind; one of the largest holds three kilobytes.
    private static let mostOutput = 1 << 20

    // MARK: The process that asks

    static func read(_ picture: [UInt8]) -> Answer {
        // Reads the bytes during the call.
        let input = countersign_memory_file(picture, picture.count)
        guard input >= 0 else { return .ended }
        defer { close(input) }
        let output = ProgramOutput.of(
            "/proc/self/exe", as: name, [], input: input, most: mostOutput, patience: .seconds(60))
        guard case .bytes(let bytes) = output else { return .ended }
        return Answer(bytes) ?? .ended
    }

    // MARK: The process that decodes

    /// Is this process. The picture is on standard input.
    package static func run() -> Never {
        setLimit(RLIMIT_AS, memory)
        setLimit(RLIMIT_CPU, time)
        guard let picture = try? PictureFile.bytes(of: STDIN_FILENO) else { _exit(Failure.Kind.internal.exitCode) }
        let bytes = answer(to: picture).bytes
        var rest = bytes[...]
        while !rest.isEmpty {
            // Reads at most as many bytes as there are, during the call.
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { _exit(Failure.Kind.internal.exitCode) }
            rest = rest.dropFirst(count)
        }
        _exit(0)
    }

    private static func setLimit(_ resource: __rlimit_resource, _ most: rlim_t) {
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        // Reads the struct during the call. A picture is not read without its limits, unless lower ones hold already.
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) != 0 else { return }
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur <= most else {
            _exit(Failure.Kind.internal.exitCode)
        }
    }

    private static func answer(to picture: [UInt8]) -> Answer {
        var codes: [String] = []
        var missing: UnsafePointer<CChar>?
        // All pointers are valid during the call; the callback runs within it, and copies its text.
        let result = withUnsafeMutablePointer(to: &codes) { codes in
            cpicture_codes(
                picture, picture.count, QRPicture.longestSide, QRPicture.mostPixels,
                { context, text, length in
                    let text = String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
                    context?.assumingMemoryBound(to: [String].self).pointee.append(text)
                }, codes, &missing)
        }
        switch result {
        case CPICTURE_READ: return .codes(codes)
        // This text lasts for the whole run.
        case CPICTURE_NO_LIBRARY: return .missing(package: missing.map { String(cString: $0) } ?? "libzbar0")
        default: return .failed(result)
        }
    }
}

/// On the pipe between the two: the result, then each text with its length, as four bytes, before it.
extension PictureProcess.Answer {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .codes(let codes): [UInt8(CPICTURE_READ.rawValue)] + codes.flatMap(Self.bytes)
        case .missing(let package): [UInt8(CPICTURE_NO_LIBRARY.rawValue)] + Self.bytes(of: package)
        case .failed(let result): [UInt8(result.rawValue)]
        case .ended: []
        }
    }

    private static func bytes(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
    }

    /// Nil for bytes that are no answer.
    fileprivate init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        var texts: [String] = []
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + count else { return nil }
            rest = rest.dropFirst(4)
            texts.append(String(decoding: rest.prefix(count), as: UTF8.self))
            rest = rest.dropFirst(count)
        }
        let result = CPictureResult(UInt32(first))
        switch (result, texts.first) {
        case (CPICTURE_READ, _): self = .codes(texts)
        case (CPICTURE_NO_LIBRARY, let package?): self = .missing(package: package)
        default: self = .failed(result)
        }
    }
}
