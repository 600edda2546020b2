import Basics
import FoundationEssentials
import Cryptography
import SessionModel

/// The required content of an ID token (OpenID Connect Core 1.0 section 3.1.3.7, oauth section 6.6).
struct IDTokenExpectation: Sendable {
    var issuer: IssuerMetadata
    var client: BankText
    /// Nil if none was sent: in the device flow and at a renewal.
    var nonce: (any Secret)?
    /// By the issuer's clock.
    var time: Date
    var maxAge: Int?
    var acrValues: [String] = []
    /// The other audiences that the person allows; nil for any.
    var audiences: [String]?
    /// The subject that a renewal's ID token must have; nil at a login.
    var subject: BankText?

    /// In seconds.
    static let leeway = 120.0
    static let oldest = 600.0
}

/// Why an ID token is not right.
enum IDTokenFault: Error, Hashable {
    case notAToken
    /// `none`, HMAC, or another that is not verified here.
    case badAlgorithm(String)
    /// Not among those that the issuer lists.
    case unlistedAlgorithm(String)
    /// The header has `crit`, and no extension is understood here (RFC 7515 section 4.1.11).
    case critical
    case unknownKey
    /// The issuer's key set has more keys than are read, and the key is none of these.
    case tooManyKeys
    case badSignature
    /// The issuer that it names, if any.
    case otherIssuer(String?, wanted: Issuer)
    case otherAudience
    /// It is for other programs as well, and does not say that it was made for this one, or the person does not allow them.
    case foreignAudience
    case otherParty
    case noSubject
    case otherSubject
    case expired
    case noTime
    case fromTheFuture
    case tooOld
    case otherNonce
    case noAuthenticationTime
    case staleAuthentication
    case otherStrength
    case otherAccessToken

    /// Whether the token is for another person, program or issuer. Clocks, new keys and settings of an issuer cause the other
    /// faults: if a new key has an older key's name, its signatures look wrong until the keys are fetched again.
    var isOfAnother: Bool {
        switch self {
        case .otherSubject, .otherIssuer, .otherAudience, .otherParty: true
        case .foreignAudience, .notAToken, .badAlgorithm, .unlistedAlgorithm, .critical, .unknownKey, .tooManyKeys,
            .badSignature,
            .noSubject, .expired,
            .noTime,
            .fromTheFuture, .tooOld, .otherNonce, .noAuthenticationTime, .staleAuthentication, .otherStrength,
            .otherAccessToken:
            false
        }
    }

    /// Our own words, with the issuer's made safe.
    var words: String { "the ID token cannot be used: \(reason)" }

    private var reason: String {
        switch self {
        case .notAToken: "it is no signed token"
        case .badAlgorithm(let name): "its algorithm \(IssuerError.quoted(name)) is not one that is verified here"
        case .unlistedAlgorithm(let name): "its algorithm \(IssuerError.quoted(name)) is not one that the issuer lists"
        case .critical: "it demands what is not understood here"
        case .unknownKey: "its key is not among the issuer's"
        case .tooManyKeys: "its key is not among the first 100 of the issuer's, and no more are read"
        case .badSignature: "its signature is wrong"
        case .otherIssuer(let named, let wanted): IssuerError.words("it", names: named, not: wanted)
        case .otherAudience: "it is for another program"
        case .foreignAudience: "it is for other programs, too"
        case .otherParty: "it was given to another program"
        case .noSubject: "it is about nobody"
        case .otherSubject: "it is about somebody else"
        case .expired: "it is over"
        case .noTime: "it does not say when it was made, or until when it is good"
        case .fromTheFuture: "it was made in the future"
        case .tooOld: "it is old"
        case .otherNonce: "it answers another login"
        case .noAuthenticationTime: "it does not say when the person signed in, which was asked"
        case .staleAuthentication: "the person signed in longer ago than was asked"
        case .otherStrength: "the person did not sign in as strongly as was asked"
        case .otherAccessToken: "it belongs to another access token"
        }
    }
}
