import Approvals
import ApprovalModel
import Basics
import Dialogue
import Display

/// Connecting a bank, or connecting it again: from the code to the bank's page and back. Its question comes from `PageDialogue`.
struct AddingModel: Sendable {
    private enum Step: Sendable {
        case ways
        case paste(isBusy: Bool)
        case working(String)
        case asking(Question)
        case waiting(address: String, isOpened: Bool)
    }

    enum End: Sendable {
        case connected(ConnectionPayload)
        /// The person left it.
        case left
    }

    /// The connection that is connected again; nil for a new one.
    let again: String?
    private let known: [ConnectionPayload]
    private let attempt: Int
    private var step: Step
    private var trouble: Failure?
    private(set) var end: End?

    /// `attempt`: another number than that of all earlier ones.
    init(again: String?, besides known: [ConnectionPayload], attempt: Int) {
        (self.again, self.known, self.attempt) = (again, again == nil ? known : [], attempt)
        step = again == nil ? .ways : .working("Asking the bank")
    }

    /// A reconnect tries without a link first: many banks take that.
    func begin() -> [WindowEffect] {
        guard let again else { return [] }
        return [.bank(.enroll(.again(again), besides: [], attempt: attempt))]
    }

    // MARK: Events

    mutating func take(_ event: AddingEvent) -> [WindowEffect] {
        switch event {
        case .codes(let attempt, let result):
            guard attempt == self.attempt, case .working = step else { return [] }
            return take(result)
        case .asked(let attempt, let question):
            guard attempt == self.attempt else { return [] }
            step = .asking(question)
        case .page(let attempt, let address, let isOpened):
            guard attempt == self.attempt else { return [] }
            step = .waiting(address: address, isOpened: isOpened)
        case .notice(let attempt, let failure):
            if attempt == self.attempt { trouble = failure }
        case .ended(let attempt, let result):
            guard attempt == self.attempt else { return [] }
            take(result)
        case .paste: (step, trouble) = (.paste(isBusy: false), nil)
        case .readScreen:
            (step, trouble) = (.working("Choose the part of the screen with the code"), nil)
            return [.bank(.readScreen(attempt: attempt))]
        case .openPicture: return [.bank(.choosePicture)]
        case .picture(let path):
            guard case .ways = step else { return [] }
            (step, trouble) = (.working("Reading the picture"), nil)
            return [.bank(.readPicture(path, attempt: attempt))]
        case .link(let link):
            guard case .paste(isBusy: false) = step else { return [] }
            (step, trouble) = (.paste(isBusy: true), nil)
            return enroll(link)
        case .address(let address):
            trouble = nil
            return [.bank(.paste(address))]
        }
        return []
    }

    mutating func confirm() -> [WindowEffect] {
        guard case .asking = step else { return [] }
        step = .working("Asking the bank for its page")
        return [.bank(.answer(.yes))]
    }

    /// One step back, or out of it. Whatever is under way ends.
    mutating func back() -> [WindowEffect] {
        switch step {
        case .paste, .asking:
            (step, trouble) = (.ways, nil)
            // A reconnect began without the ways.
            if again != nil { end = .left }
        case .ways, .working, .waiting: end = .left
        }
        return [.bank(.abandon)]
    }

    private mutating func take(_ codes: Result<[String], Failure>) -> [WindowEffect] {
        switch codes {
        case .failure(let failure):
            step = .ways
            trouble = failure.kind == .cancelled ? nil : failure
            return []
        case .success(let codes):
            guard let code = codes.first, codes.count == 1 else {
                step = .ways
                trouble = codes.isEmpty ? Self.noCode : Self.tooMany(codes.count)
                return []
            }
            step = .working("Asking the bank")
            return enroll(code)
        }
    }

    private mutating func take(_ result: Result<ConnectionPayload, Failure>) {
        switch result {
        case .success(let connection): end = .connected(connection)
        case .failure(let failure):
            trouble = failure.kind == .cancelled ? nil : failure
            if case .paste = step { step = .paste(isBusy: false) } else { step = .ways }
        }
    }

    private func enroll(_ link: String) -> [WindowEffect] {
        let link = GivenLink(link)
        let request = again.map { EnrollmentRequest.again($0, link: link) } ?? .link(link, name: nil)
        return [.bank(.enroll(request, besides: known, attempt: attempt))]
    }

    private static let noCode = Failure.usage(
        "there is no QR code in the picture",
        hint: "the code must be whole, with a light margin; enlarge it on the page, and take the picture again")

    private static func tooMany(_ count: Int) -> Failure {
        .usage("the picture has \(count) codes", hint: "cut the picture to the code of the bank")
    }

    private static let advice = "Compare the host with the address on your bank's letters. Anybody can claim the name."

    // MARK: The screen

    var screen: Screen {
        let trouble = trouble.map { Screen.Trouble($0) }
        return switch step {
        case .ways:
            .addBank(
                .ways(
                    headline: again.map { "A new code connects \($0) again" } ?? "The bank's page shows a code", trouble
                ))
        case .paste(let isBusy): .addBank(.paste(trouble, isBusy: isBusy))
        case .working(let words): .addBank(.working(words))
        case .asking(let question):
            .asking(Screen.Asking(question, of: .banks, title: "Add a bank", ok: "Continue", advice: Self.advice))
        case .waiting(let address, let isOpened):
            .addBank(.waiting(address: address, isOpened: isOpened, trouble))
        }
    }
}

extension Screen.Asking {
    /// A question of a dialogue.
    init(
        _ question: Question, of tab: Tab?, title: String, ok: String? = nil, isDestructive: Bool = false,
        advice: String? = nil, trouble: Screen.Trouble? = nil, isBusy: Bool = false
    ) {
        self.init(
            tab: tab, title: title, headline: question.headline.description,
            lines: question.facts.map { Screen.Line($0.label?.description, $0.value.line) }
                + (advice.map { [Screen.Line(nil, $0)] } ?? []), entry: nil,
            ok: ok ?? question.ok.description, isDestructive: isDestructive, trouble: trouble, isBusy: isBusy)
    }
}
