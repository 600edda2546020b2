package import Basics
import Verbs

/// The output that `countersign token TARGET` or `countersign header URL` needs, without a renewal, a question or a
/// change.
package struct ReadyRequest: JSONInput, Equatable {
    /// The process that holds the lock of the asking program's home: the agent of another home has nothing ready.
    package var pid: Int32
    /// The asking program's version (`ProductVersion`): an agent of another one has nothing ready.
    package var version: String
    /// A session's name, its issuer, or the address of a service; nil for the only session.
    package var target: String?
    /// The address of a request whose headers are wanted; nil if a token is wanted.
    package var url: WebAddress?

    package enum CodingKeys: String, CodingKey, CaseIterable { case pid, version, target, url }

    package init(of pid: Int32, version: String, target: String? = nil, url: WebAddress? = nil) {
        self.pid = pid
        self.version = version
        self.target = target
        self.url = url
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        pid = try members.decode(Int32.self, forKey: .pid)
        version = try members.decode(String.self, forKey: .version)
        target = try members.decodeIfPresent(String.self, forKey: .target)
        url = members.contains(.url) ? try members.requestAddress(forKey: .url) : nil
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(pid, forKey: .pid)
        try members.encode(version, forKey: .version)
        try members.encodeIfPresent(target, forKey: .target)
        try members.encodeIfPresent(url?.text, forKey: .url)
    }
}

/// The answer. It may hold a secret, as `TokenPayload` does.
package struct ReadyPayload: Codable, Sendable, Equatable {
    /// The lines that the command prints. None if it cannot be answered at once, for any reason: the command then asks
    /// in the ordinary way.
    package var lines: [String]

    package init(lines: [String]) { self.lines = lines }
}
