import Basics
import ApprovalModel

/// The parsed and checked link of a push token (privacyidea-push section 4).
struct PushLink: Sendable, Equatable {
    /// The address that takes the key and answers polls; it may have a query of its own.
    var endpoint: WebAddress
    var serial: BankID
    /// Can be used for one enrollment.
    var credential: String
    var issuer: BankText
    /// Whose account it is, in the server's words, without the issuer in front.
    var label: BankText
    /// How long the link is valid, from the moment when it was read.
    var minutes: Int
    /// Whether the server would prefer to push to a phone.
    var isPushed: Bool
    /// Whether the server wants a fingerprint or a face before each answer.
    var wantsBiometrics: Bool

    /// The longest link, in bytes.
    static let longest = 8192
    /// For a link without a valid lifetime.
    static let defaultMinutes = 10

    /// `path` is the link's part between the host and the `?`, `parameters` the part after the `?`.
    init(path: Substring, _ parameters: UniqueParameters) throws(LinkError) {
        guard let version = try parameters.text("v") else {
            throw LinkError(.incomplete, "the link lacks its version; it may have been cut off")
        }
        guard version == "1" else {
            throw LinkError(.unknownVersion, "the link is of a version that this program does not speak")
        }
        guard let url = try parameters.text("url"), let serial = try parameters.text("serial"),
            let credential = try parameters.text("enrollment_credential")
        else {
            throw LinkError(.incomplete, "the link lacks the server's address, the token's serial, or its credential")
        }
        do {
            endpoint = try WebAddress(url)
        } catch {
            throw LinkError(.badAddress(error), "the link's url cannot be used: \(error.reason)")
        }
        guard endpoint.fragment == nil else { throw LinkError(.foreignAddress, "the link's url has a fragment") }
        guard let id = BankID(serial), PushText.isPlain(serial) else {
            throw LinkError(.badEncoding, "the link's serial is not valid")
        }
        guard credential.utf8.count <= 512 else { throw LinkError(.badEncoding, "the link's credential is too long") }
        self.serial = id
        self.credential = credential
        minutes = (try parameters.text("ttl")).map { Int($0) ?? Self.defaultMinutes } ?? Self.defaultMinutes
        guard minutes > 0 else { throw LinkError(.over, "the link's time is over") }
        guard let label = Percent.decode(path) else {
            throw LinkError(.badEncoding, "the link's label is not encoded properly")
        }
        let issuer = try parameters.text("issuer") ?? ""
        self.issuer = BankText(issuer)
        let rest = issuer.isEmpty ? nil : Substring(label).dropping(prefix: issuer + ":")
        self.label = BankText(rest.map { String($0.trimmingWhitespace()) } ?? label)
        isPushed = try parameters.text("poll_only")?.lowercased() != "true"
        wantsBiometrics = try parameters.text("app_force_unlock")?.lowercased() == "biometric"
    }
}
