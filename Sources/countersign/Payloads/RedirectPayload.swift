import Display

/// The answer of `open` for a redirected address.
struct RedirectPayload: Payload {
    struct Content: Encodable {
        var accepted = true
    }

    var redirect = Content()

    var ids: [String] { [] }

    func text(_ style: Style) -> String { "Handed to the enrollment that waited." }
}
