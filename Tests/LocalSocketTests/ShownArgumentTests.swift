import Basics
import Testing

/// Which arguments of a command line others may read.
@Suite struct ShownArgumentTests {
    @Test(arguments: [
        "authenticator://saltedge.com/connect?configuration=https://bank.example/c", "tiqrauth://host/secret/challenge",
        "authenticator%3A%2F%2Fsaltedge.com%2Fconnect", "authenticator%3a%2f%2foauth",
        "authenticator:oauth?token=secret",
        "https://127.0.0.1:1/callback?code=secret", "--link=pia://container/secret",
    ])
    func hidden(_ argument: String) {
        #expect(ArgumentVector.shown(argument) == "LINK")
    }

    @Test(arguments: ["countersign", "open", "demobank:77", "--pin-file", "/run/user/1000/pin", "--limit=3", "-", ""])
    func shown(_ argument: String) {
        #expect(ArgumentVector.shown(argument) == argument)
    }
}
