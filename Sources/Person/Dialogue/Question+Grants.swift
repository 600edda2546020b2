import Display
import Sessions

extension Question {
    /// Whether a program may use this one of several sessions.
    static func session(
        _ choice: RequestPayload.Choice, at place: Place, for request: RequestPayload
    ) -> Question {
        let name = DisplayText(answered: "\(choice.session) (\(place.number) of \(place.count))")
        let program = DisplayText(answered: request.program.text)
        return Question(
            ["\(program.line): may it use the session \(name.line)?"], headline: "Which session may this program use?",
            [Fact("Session", name)]
                + (choice.account.map { [Fact("Account", DisplayText(answered: $0), isShort: true)] } ?? [])
                + [
                    Fact("Issuer", DisplayText(answered: choice.host), isShort: true),
                    Fact("Program", program, isShort: true),
                ], ok: "This one", cancel: place.number < place.count ? "Another" : "None")
    }

    /// When a program gets tokens.
    static var unattended: Question {
        Question(
            ["Also when nobody is here, until the agent is locked?"], headline: "Also when nobody is here?",
            [
                Fact(DisplayText("Yes: until the agent shuts, also while the screen is locked.")),
                Fact(DisplayText("No: only while you are here.")),
            ], ok: "Yes")
    }
}
