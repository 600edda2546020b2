import Basics
package import Verbs

// The inputs of the verbs of a login that was begun.

/// The person said yes: how the login goes on.
package struct LoginAcceptance: JSONInput, Equatable {
    package enum Way: Sendable, Equatable {
        /// The issuer's page leads the browser to this address.
        case browser(returnURL: String)
        /// The person enters a code on a page of the issuer, within these seconds.
        case device(seconds: Double)
    }

    package var way: Way

    package enum CodingKeys: String, CodingKey, CaseIterable { case returnUrl, device, timeout }

    package init(_ way: Way) { self.way = way }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let timeout = try members.decodeIfPresent(Double.self, forKey: .timeout)
        switch (
            try members.decodeIfPresent(String.self, forKey: .returnUrl),
            try members.decodeIfPresent(Bool.self, forKey: .device) ?? false
        ) {
        case (let address?, false) where timeout == nil: way = .browser(returnURL: address)
        case (nil, true):
            guard (0...86400).contains(timeout ?? 600) else {
                throw Failure.usage("timeout is a number of seconds, at most a day")
            }
            way = .device(seconds: timeout ?? 600)
        default: throw Failure.usage("a login goes on with a return_url, or by a device")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch way {
        case .browser(let returnURL): try members.encode(returnURL, forKey: .returnUrl)
        case .device(let seconds):
            try members.encode(true, forKey: .device)
            try members.encode(seconds, forKey: .timeout)
        }
    }
}

/// An address that the browser was led to.
package struct LoginRedirect: JSONInput {
    package var address: String

    package enum CodingKeys: String, CodingKey, CaseIterable { case address }

    package init(_ address: String) { self.address = address }
}

/// How long the end of a login may be waited for.
package struct LoginWait: QueryInput {
    /// For how many seconds the answer may wait for the end of the login.
    package var seconds: Int64

    package enum Name: String, CaseIterable, Sendable { case wait }

    /// In seconds.
    package static let longest: Int64 = 25

    package init(seconds: Int64) { self.seconds = seconds }

    package init(_ query: VerbQuery<Name>) throws {
        guard let seconds = Int64(query[.wait] ?? "0"), (0...Self.longest).contains(seconds) else {
            throw Failure.usage("wait is a number of seconds, at most \(Self.longest)")
        }
        self.seconds = seconds
    }

    package func write(to query: inout VerbQuery<Name>) { query[.wait] = String(seconds) }
}
