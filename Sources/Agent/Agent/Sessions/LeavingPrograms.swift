import SessionModel

/// The programs that signed themselves out while nothing could be written. Their grants are revoked at the next PIN.
struct LeavingPrograms {
    private static let most = 256

    private(set) var all: Set<Program> = []

    /// Returns false if too many programs wait for the next PIN.
    mutating func add(_ program: Program) -> Bool {
        guard all.contains(program) || all.count < Self.most else { return false }
        all.insert(program)
        return true
    }

    /// Revokes the grants of each program. A program whose grants cannot be revoked now stays until the next PIN; returns how many do.
    mutating func revoke(_ revoke: (Program) throws -> Void) -> Int {
        all = all.filter { program in
            do { try revoke(program) } catch { return true }
            return false
        }
        return all.count
    }
}
