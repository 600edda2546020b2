import Display

/// The answer of `open` for a redirected address.
struct RedirectPayload: Payload {
    struct Content: Encodable {
        var accepted = true
    }

    private enum CodingKeys: CodingKey { case redirect }

    var redirect = Content()
    /// Whether a login waited for it; otherwise an enrollment did.
    let isOfLogin: Bool

    init(isOfLogin: Bool) { self.isOfLogin = isOfLogin }

    var ids: [String] { [] }

    func text(_ style: Style) -> String {
        isOfLogin ? "Handed to the login that waited." : "Handed to the enrollment that waited."
    }
}
