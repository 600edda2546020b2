package import Basics
import Keys

/// The rules for a new PIN: 6 to 16 digits, or a passphrase of 8 to 256 characters; not a trivial one.
package enum PINRules {
    /// Throws `PINError` `tooShort`, `tooLong` or `trivial`.
    package static func check(_ pin: any Secret) throws {
        if let fault = pin.withBytes({ fault(of: $0) }) { throw fault }
    }

    /// Whether this can be a PIN: none that breaks the rules was ever set.
    static func allows(_ pin: any Secret) -> Bool { pin.withBytes { fault(of: $0) } == nil }

    /// Checks the UTF-8 bytes in place, so that no copy exists outside of locked memory.
    private static func fault(of pin: UnsafeRawBufferPointer) -> PINError? {
        let isDigits = pin.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // Counts characters: each begins with a byte that is not a continuation byte.
        let length = pin.count { $0 & 0xC0 != 0x80 }
        if length < (isDigits ? 6 : 8) { return .tooShort }
        if length > (isDigits ? 16 : 256) || pin.count > 1024 { return .tooLong }
        return isTrivial(pin, isDigits: isDigits) ? .trivial : nil
    }

    /// One character repeated, or a run up or down; digits run on from 9 to 0.
    private static func isTrivial(_ pin: UnsafeRawBufferPointer, isDigits: Bool) -> Bool {
        let width = 1 + pin.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
        if (width..<pin.count).allSatisfy({ pin[$0] == pin[$0 - width] }) { return true }
        let steps = (1..<pin.count).map { index in
            let step = Int(pin[index]) - Int(pin[index - 1])
            return isDigits ? (step + 10) % 10 : step
        }
        let down = isDigits ? 9 : -1
        return steps.allSatisfy { $0 == 1 } || steps.allSatisfy { $0 == down }
    }
}
