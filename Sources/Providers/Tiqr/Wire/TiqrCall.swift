import Basics
import Glibc
import ApprovalModel
import Web

extension Call {
    /// A call with the headers that every call has (tiqr section 4.3). Answers are short, so they are limited to 64
    /// KiB.
    init(tiqr method: String, _ address: WebAddress, form: KeyValuePairs<String, String> = [:]) {
        var headers = [
            ("Accept", "application/json"), ("User-Agent", TiqrAgent.text), ("X-TIQR-Protocol-Version", "2"),
        ]
        if !form.isEmpty { headers.append(Form.header) }
        self.init(method: method, address: address, headers: headers, body: Form.body(form), limit: 64 << 10)
    }
}

extension Transport {
    /// Sends one call to a site. Throws `BankError` if no whole answer came.
    func ask(_ call: Call) async throws(BankError) -> Answer {
        do {
            return try await send(call)
        } catch {
            throw BankError(error)
        }
    }
}

/// The User-Agent in the form that servers parse: `countersign/0.1.0 (countersign 0.1.0/1; Linux 6.1/x86_64; desktop)`.
enum TiqrAgent {
    static let text: String = {
        var name = utsname()
        // uname fills a struct of its own; each field is a text that ends with a zero byte.
        guard uname(&name) == 0 else { return make(release: "", machine: "") }
        let release = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let machine = withUnsafeBytes(of: name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return make(release: release, machine: machine)
    }()

    static func make(release: String, machine: String) -> String {
        let numbers = release.split(separator: "-").first?.split(separator: ".").prefix(2).joined(separator: ".") ?? ""
        let version = numbers.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") } ? numbers : ""
        let kind = machine.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "_") } ? machine : ""
        let product = ProductVersion.text
        return
            "countersign/\(product) (countersign \(product)/1; Linux \(version.isEmpty ? "0" : version)/\(kind.isEmpty ? "unknown" : kind); desktop)"
    }

    /// The language tag of a POSIX locale: `nl-NL` for `nl_NL.UTF-8`, `en` if none is set.
    static func language(of locale: String) -> String {
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ (2...3).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy(isLetter) })
        else { return "en" }
        return parts.joined(separator: "-")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
