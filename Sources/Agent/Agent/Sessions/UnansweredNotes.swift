import SessionModel

/// Counts the notes about programs' requests that nobody answered, so that a program cannot wear the person down: after three in a row the
/// desktop hears no more of it until the next PIN (oauth section 5.3). Its requests are listed all the same.
struct UnansweredNotes {
    static let most = 3
    /// A limit, since a program may take many names.
    private static let mostPrograms = 256

    /// The requests that the desktop showed.
    private var shown: [String: Program] = [:]
    private var unanswered: [Program: Int] = [:]

    func isQuiet(_ program: Program) -> Bool { unanswered[program, default: 0] >= Self.most }

    mutating func told(of request: ProgramRequest) { shown[request.id] = request.program }

    /// The person allowed or refused it.
    mutating func answered(_ request: ProgramRequest) {
        shown[request.id] = nil
        unanswered[request.program] = nil
    }

    /// Their time was over, the program's next request replaced them, or the program took them back.
    mutating func passed(_ ids: [String]) {
        for program in ids.compactMap({ shown.removeValue(forKey: $0) }) {
            guard unanswered[program] != nil || unanswered.count < Self.mostPrograms else { continue }
            unanswered[program, default: 0] += 1
        }
    }

    /// A lock took it back, which says nothing.
    mutating func forget(_ id: String) { shown[id] = nil }

    /// The person entered the PIN.
    mutating func entered() { unanswered = [:] }
}
