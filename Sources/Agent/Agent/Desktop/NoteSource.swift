import Basics
import Display

/// The notes of one job.
protocol NoteSource: Sendable {
    /// Takes the next step of this rank; nil if nothing is left to do.
    func next(_ rank: NoteRank) -> NoteStep?
}

/// The order in which steps are taken: all urgent ones of all jobs first.
enum NoteRank {
    case urgent, usual
    /// A list of waiting items, which has the places that all other notes leave.
    case waiting
}

/// One change to the notes on the screen.
typealias NoteStep = @Sendable () async -> Void

/// How something ended that the person began.
struct NoteOutcome {
    /// One line of our own words, without anything that came from outside.
    var headline: String
    /// Safe to show, but not while locked.
    var content: [DisplayText]
    /// Whether it ended well, so that the note need not stay.
    var isGood = false

    static func failed(_ failure: Failure) -> NoteOutcome {
        NoteOutcome(headline: "Countersign could not do that", content: words([failure.message, failure.hint]))
    }

    /// These texts are safe to show already.
    static func words(_ texts: [String?]) -> [DisplayText] {
        texts.compactMap { $0 }.map { DisplayText(shown: $0) ?? DisplayText($0) }
    }
}
