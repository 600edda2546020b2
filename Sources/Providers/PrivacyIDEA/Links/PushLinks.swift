import Basics
package import ApprovalModel

extension WireProtocol {
    static let push = WireProtocol(rawValue: "privacyidea-push")
}

/// Reads the links of privacyIDEA's push tokens: `pia://pipush/…` and `otpauth://pipush/…`.
package struct PushLinks: LinkReader {
    package init() {}

    package func read(_ link: LinkText) throws(LinkError) -> Link? {
        guard ["pia", "otpauth"].contains(link.scheme) else { return nil }
        guard let rest = (link.text.behind(":") ?? "").dropping(prefix: "//") else {
            throw LinkError(.notALink, "the link has no host")
        }
        let (place, query) = (rest.before("#").before("?"), rest.before("#").behind("?"))
        guard place.before("/").lowercased() == "pipush" else {
            throw LinkError(.otherKind, "the link is for another kind of token; this program has only push tokens")
        }
        guard link.text.utf8.count <= PushLink.longest else {
            throw LinkError(.tooLong, "the link is longer than 8 KiB")
        }
        let push = try PushLink(path: place.behind("/") ?? "", UniqueParameters(query ?? ""))
        return .connect(
            ConnectLink(wires: [.push], address: push.endpoint, content: push) {
                $0.wireProtocol == .push && $0.id == push.serial && $0.baseURL == push.endpoint
            })
    }
}
