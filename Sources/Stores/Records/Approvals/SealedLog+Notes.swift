import Basics
package import FoundationEssentials
package import Keys
import Ledger

/// Notes that are about no decision. Readers of decisions or claims pass over them.
extension SealedLog: NoteChain {
    package func record(note: [UInt8], id: String, at: Date) throws {
        let key = try sealer.authenticate(Array(id.utf8), for: "noted once")
        _ = try chain.append { reader, _ in
            guard try reader.sequence(of: key) == nil else { return nil }
            return .init(LogEvent(at: at, kind: .noted(Data(note))), key: key, waits: false)
        }
    }

    /// All notes. An event that cannot be read is left out, as in `entries`.
    package func notes() throws -> [ChainedNote] {
        var notes: [ChainedNote] = []
        try chain.read { reader in
            try reader.forEach { row in
                guard let event = try? row.content(), case .noted(let content) = event.kind else { return }
                notes.append(ChainedNote(content: Array(content), at: event.at, hash: hexadecimal(row.mac)))
            }
        }
        return notes
    }
}
