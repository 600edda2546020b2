import Basics
import ApprovalModel
import Verbs

/// Either a link, with or without a name, or a connection to enroll again, with or without a link.
package struct NewEnrollment: JSONInput {
    package var request: EnrollmentRequest
    /// Whether the enrollment ends with the connection to the agent that began it.
    package var whileConnected: Bool

    package enum CodingKeys: String, CodingKey, CaseIterable { case link, name, connection, whileConnected }

    package init(_ request: EnrollmentRequest, whileConnected: Bool) {
        self.request = request
        self.whileConnected = whileConnected
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let (link, name) = (
            try members.decodeIfPresent(GivenLink.self, forKey: .link),
            try members.decodeIfPresent(String.self, forKey: .name)
        )
        let connection = try members.decodeIfPresent(String.self, forKey: .connection)
        whileConnected = try members.decodeIfPresent(Bool.self, forKey: .whileConnected) ?? false
        switch (link, connection) {
        case (let link?, nil): request = .link(link, name: try name.map(ConnectionName.init(checking:)))
        case (let link, let connection?) where name == nil: request = .again(connection, link: link)
        default:
            throw Failure.usage(
                "an enrollment is of a link, with or without a name, or of a connection, with or without a link")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch request {
        case .link(let link, let name):
            try members.encode(link, forKey: .link)
            try members.encodeIfPresent(name?.text, forKey: .name)
        case .again(let connection, let link):
            try members.encode(connection, forKey: .connection)
            try members.encodeIfPresent(link, forKey: .link)
        }
        try members.encode(whileConnected, forKey: .whileConnected)
    }
}

package struct Acceptance: JSONInput {
    package var returnUrl: String

    package enum CodingKeys: String, CodingKey, CaseIterable { case returnUrl }

    package init(returnURL: String) { returnUrl = returnURL }
}

package struct IncomingAddress: JSONInput {
    package var address: String

    package enum CodingKeys: String, CodingKey, CaseIterable { case address }

    package init(_ address: String) { self.address = address }
}

extension ConnectionName {
    /// Throws a usage failure if the text is not a valid name.
    init(checking text: String) throws {
        guard let name = ConnectionName(text) else { throw Failure.badName }
        self = name
    }
}
