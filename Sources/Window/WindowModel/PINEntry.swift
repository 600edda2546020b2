package import Basics
import Cryptography

/// The characters that are typed into an entry for a secret, in locked memory. The entry itself holds only bullets.
///
/// Each change makes new bytes and wipes the old ones.
package final class PINEntry {
    private var bytes: LockedBytes?
    /// How many bytes each character has.
    private var sizes: [Int] = []

    package init() {}

    /// In bytes; a passphrase is shorter.
    private static let longest = 1024

    private struct Unusable: Error {}

    package var isEmpty: Bool { sizes.isEmpty }

    /// Takes these bytes of UTF-8, in front of the character at `position`. Throws if there is no memory, and `Unusable` for text that is
    /// no part of a secret: a pasted line break would end the line by which a PIN is handed on.
    package func insert(_ text: UnsafeRawBufferPointer, at position: Int) throws {
        guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), (bytes?.count ?? 0) + text.count <= Self.longest else {
            throw Unusable()
        }
        let position = min(max(position, 0), sizes.count)
        let place = sizes[..<position].reduce(0, +)
        try replace(place..<place, with: text)
        sizes.insert(contentsOf: Self.sizes(of: text), at: position)
    }

    /// Drops the characters of this range. A negative end means all.
    package func delete(_ start: Int, _ end: Int) {
        let end = end < 0 ? sizes.count : min(end, sizes.count)
        guard start >= 0, start < end else { return }
        let first = sizes[..<start].reduce(0, +)
        do {
            try replace(
                first..<first + sizes[start..<end].reduce(0, +), with: UnsafeRawBufferPointer(start: nil, count: 0))
            sizes.removeSubrange(start..<end)
        } catch {
            wipe()
        }
    }

    /// Hands the typed bytes over, and is empty then. Nil if nothing is typed.
    package func take() -> (any Secret)? {
        defer { (bytes, sizes) = (nil, []) }
        return sizes.isEmpty ? nil : bytes
    }

    /// Whether the same was typed there.
    package func equals(_ other: PINEntry) -> Bool {
        guard let bytes, let others = other.bytes else { return isEmpty && other.isEmpty }
        return bytes.equals(others)
    }

    package func wipe() {
        bytes?.wipe()
        (bytes, sizes) = (nil, [])
    }

    private func replace(_ range: Range<Int>, with text: UnsafeRawBufferPointer) throws {
        let old = bytes
        let count = old?.count ?? 0
        let new = try LockedBytes(count: count - range.count + text.count) { room in
            // The kept bytes and the new ones together have as many bytes as there is room for.
            func put(_ part: UnsafeRawBufferPointer, at place: Int) {
                UnsafeMutableRawBufferPointer(rebasing: room[place..<place + part.count]).copyMemory(from: part)
            }
            old?.withBytes { put(UnsafeRawBufferPointer(rebasing: $0[..<range.lowerBound]), at: 0) }
            put(text, at: range.lowerBound)
            old?.withBytes {
                put(UnsafeRawBufferPointer(rebasing: $0[range.upperBound...]), at: range.lowerBound + text.count)
            }
        }
        old?.wipe()
        bytes = new
    }

    /// The number of bytes of each character: a byte that continues one belongs to the byte before.
    private static func sizes(of text: UnsafeRawBufferPointer) -> [Int] {
        text.reduce(into: []) { sizes, byte in
            if byte & 0xC0 == 0x80, !sizes.isEmpty {
                sizes[sizes.count - 1] += 1
            } else {
                sizes.append(1)
            }
        }
    }
}
