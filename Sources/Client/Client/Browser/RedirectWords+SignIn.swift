package import Web

extension RedirectWords {
    /// The answers to a browser that comes back from an issuer's page.
    package static let signIn = RedirectWords(
        goodTitle: "Signed in", goodText: "This computer is signed in. You may close this tab.",
        badTitle: "Not signed in", badText: "This did not sign the computer in. Look at the terminal.")

    /// Where no terminal says more.
    package static var silentSignIn: RedirectWords {
        var words = signIn
        words.badText = "This did not sign the computer in."
        return words
    }
}
