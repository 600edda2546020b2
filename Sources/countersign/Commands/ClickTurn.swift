import Basics
import Client
import Glibc
import Cryptography

/// The turn of a clicked link to show questions and messages. Any page can make a browser open links, so one link at a
/// time has the turn, each link waits once, and only a few wait. Ends with the process in any case.
final class ClickTurn: Sendable {
    /// How many links may be open: the link that has the turn, and the links that wait for it.
    static let most = 4

    /// How the paths of its files begin.
    private let files: String
    private let slot: FileLock
    private let turn: FileLock

    /// Links of one kind wait for each other.
    enum Kind: String {
        /// A link whose question may stay open for minutes.
        case asking = "click"
        /// An address that a page led back to. If no process takes it, the message does not wait for links that ask.
        case returning = "return"
    }

    /// Waits for the turn. Throws a `Failure` if the same link or too many others are open already.
    static func take(for link: String, _ kind: Kind, in place: RedirectPlace) async throws -> ClickTurn {
        try place.make()
        let files = "\(place.directory)/\(kind.rawValue)"
        let slot = try slot(for: link, files)
        return try await blocking {
            let turn = try FileLock("\(files)-turn.lock")
            turn.wait()
            return ClickTurn(files: files, slot: slot, turn: turn)
        }
    }

    private init(files: String, slot: FileLock, turn: FileLock) {
        self.files = files
        self.slot = slot
        self.turn = turn
    }

    /// Takes one of the places in which links wait. Its file names the link, by its hash.
    private static func slot(for link: String, _ files: String) throws -> FileLock {
        let name = Digest.name(of: link)
        // One process at a time looks.
        let entrance = try FileLock("\(files)-entrance.lock")
        entrance.wait()
        var free: FileLock?
        for index in 0..<most {
            let slot = try FileLock("\(files)-\(index).lock")
            if slot.take() {
                free = free ?? slot
            } else if slot.content(most: name.count) == name {
                throw Failure(.cancelled, "this link is open already", hint: "answer the window that it opened")
            }
        }
        guard let free else {
            try FileLock("\(files)-refused.lock").append([0])
            throw Failure(
                .cancelled, "\(most) other links that were clicked are open already",
                hint: "answer their windows, and click this link again")
        }
        try free.write(name)
        return free
    }

    /// How many links were refused since this was last asked.
    func refused() -> Int {
        guard let file = try? FileLock("\(files)-refused.lock") else { return 0 }
        file.wait()
        return file.empty()
    }

    /// Lets the next link have the turn.
    func end() {
        try? slot.write([])
        slot.end()
        turn.end()
    }
}
