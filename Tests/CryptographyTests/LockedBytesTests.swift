import Glibc
@testable import Cryptography
import Testing

struct LockedBytesTests {
    struct Refusal: Error {}

    @Test(arguments: [0, 1, 31, 32, 33, 4095, 4096, 4097, 300_000])
    func holdsWhatItWasGiven(_ count: Int) throws {
        let given = try RandomBytes.make(count)
        let held = try secret(given)
        #expect(held.count == count)
        #expect(held.array == given)
    }

    @Test func manyHaveMemoryOfTheirOwn() throws {
        let held = try (0..<1000).map { try secret([UInt8](repeating: UInt8($0 % 251), count: 1 + $0 % 200)) }
        for (index, one) in held.enumerated() {
            #expect(one.array == [UInt8](repeating: UInt8(index % 251), count: 1 + index % 200))
        }
    }

    @Test func comparesContent() throws {
        let held = try secret("493027")
        #expect(try held.equals(secret("493027")))
        #expect(try !held.equals(secret("493028")))
        #expect(try !held.equals(secret("49302")))
        #expect(try secret("").equals(secret("")))
    }

    @Test func wipesTheArrayItCopies() throws {
        var pin = Array("493027".utf8)
        let held = try LockedBytes(wiping: &pin)
        #expect(held.text == "493027")
        #expect(pin == [0, 0, 0, 0, 0, 0])
    }

    @Test func wipedItHasNothing() throws {
        let held = try secret("493027")
        let start = try #require(held.withBytes { $0.baseAddress })
        held.wipe()
        #expect(held.count == 0 && held.array == [])
        // The memory is still its own as long as it lives.
        #expect(UnsafeRawBufferPointer(start: start, count: 6).allSatisfy { $0 == 0 })
        #expect(try !held.equals(secret("493027")))
        withExtendedLifetime(held) {}
    }

    @Test func randomOnesDiffer() throws {
        let one = try LockedBytes.random(32)
        #expect(try !one.equals(LockedBytes.random(32)))
        #expect(try !one.equals(secret([UInt8](repeating: 0, count: 32))))
    }

    @Test func throwsWhatFillingThrows() {
        #expect(throws: Refusal.self) { try LockedBytes(count: 16) { _ in throw Refusal() } }
    }

    @Test func aSlotIsWipedWhenItIsGivenBack() throws {
        // A pool of its own, so that no other test uses the slot before this one reads it. Its page stays mapped.
        let memory = LockedMemory()
        let block = try memory.take(2048)
        #expect(block.pooled)
        block.start.storeBytes(of: 0x5ec2_e75e_c2e7_5ec2, as: UInt64.self)
        memory.release(block)
        #expect(block.start.load(as: UInt64.self) == 0)
    }

    /// So that a command's secrets fit where little memory may be locked.
    @Test func slotsOfAllSizesShareOnePage() throws {
        let memory = LockedMemory()
        let blocks = try [2048, 32, 512, 64, 1024, 128, 32, 256].map { try memory.take($0) }
        #expect(memory.slotPages.count == 1)
        let spans = blocks.map { UInt(bitPattern: $0.start)..<UInt(bitPattern: $0.start) + UInt($0.size) }
        for (index, span) in spans.enumerated() {
            #expect(span.clamped(to: memory.slotPages[0]) == span)
            #expect(!spans[..<index].contains { $0.overlaps(span) })
        }
        // The next one needs a new page; a slot that was given back does not.
        let more = try memory.take(4096)
        #expect(memory.slotPages.count == 2)
        memory.release(more)
        _ = try memory.take(1024)
        #expect(memory.slotPages.count == 2)
    }

    @Test(arguments: [64, 5000])
    func pagesAreLockedAndNotDumped(_ count: Int) throws {
        let held = try secret([UInt8](repeating: 7, count: count))
        let address = held.withBytes { UInt(bitPattern: $0.baseAddress) }
        let flags = try #require(Self.flags(of: address))
        #expect(flags.contains("lo") && flags.contains("dd"))
    }

    @Test func guardsStandOnBothSides() throws {
        let held = try secret([UInt8](repeating: 7, count: 5000))
        let address = held.withBytes { UInt(bitPattern: $0.baseAddress) }
        let size = UInt(sysconf(Int32(_SC_PAGESIZE)))
        #expect(Self.permissions(of: address) == "rw-p")
        #expect(Self.permissions(of: address - 1) == "---p")
        #expect(Self.permissions(of: address + (5000 + size - 1) / size * size) == "---p")
    }

    /// VmFlags of the mapping that holds the address: proc_pid_smaps(5).
    private static func flags(of address: UInt) -> [Substring]? {
        mapping(of: address)?.last { $0.hasPrefix("VmFlags:") }?.split(separator: " ")
    }

    private static func permissions(of address: UInt) -> Substring? {
        mapping(of: address)?.first?.split(separator: " ")[1]
    }

    private static func mapping(of address: UInt) -> [Substring]? {
        guard let file = fopen("/proc/self/smaps", "r") else { return nil }
        defer { fclose(file) }
        var found: [Substring] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, 4096, file) != nil {
            let text = line.withUnsafeBufferPointer {
                String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
            let bounds = text.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            if bounds.count == 2 {
                if !found.isEmpty { return found }
                if (bounds[0]..<bounds[1]).contains(address) { found.append(Substring(text)) }
            } else if !found.isEmpty {
                found.append(Substring(text))
            }
        }
        return found.isEmpty ? nil : found
    }
}
