import Basics
import FoundationEssentials

/// `Countersign/<version>; Linux; <distribution>` (saltedge-v1 section 11), ASCII only.
package enum UserAgent {
    package static let text: String = {
        let release = (try? Data(contentsOf: URL(filePath: "/etc/os-release"))).map {
            String(decoding: $0, as: UTF8.self)
        }
        return make(osRelease: release ?? "")
    }()

    /// Makes the text. `osRelease` is the content of os-release(5).
    static func make(osRelease: String) -> String {
        let line = osRelease.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name = (line?.dropFirst("PRETTY_NAME=".count) ?? "").unicodeScalars
            .filter { $0.isASCII && $0.value >= 0x20 && $0.value < 0x7F && !"\"'\\;".unicodeScalars.contains($0) }
        return
            "Countersign/\(ProductVersion.text); Linux; \(name.isEmpty ? "unknown" : String(String.UnicodeScalarView(name)).prefix(64))"
    }
}
