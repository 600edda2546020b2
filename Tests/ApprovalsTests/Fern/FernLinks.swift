import Basics
import ApprovalModel

struct FernLinks: LinkReader {
    struct Enroll: Sendable {
        var user: String
        var secret: String
        var isOnce: Bool
    }

    struct Ask: Sendable {
        var id: BankID
        var options: [BankText]?
        var code: String?
    }

    func read(_ link: LinkText) throws(LinkError) -> Link? {
        guard link.scheme == "fern" else { return nil }
        guard let query = link.text.behind("?").map({ QueryParameters($0) }), let user = query["user"].map(String.init)
        else { throw LinkError(.incomplete, "the link names no user") }
        if let secret = query["secret"].map(String.init) {
            guard let address = try? WebAddress("https://fern.example") else {
                throw LinkError(.foreignAddress, "no address")
            }
            return .connect(
                ConnectLink(
                    wires: [FernProvider.wire], address: address,
                    content: Enroll(user: user, secret: secret, isOnce: query.has("once"))
                ) { $0.fern?.user == user })
        }
        guard let id = query["id"].flatMap({ BankID(String($0)) }) else {
            throw LinkError(.incomplete, "the link names no request")
        }
        let ask = Ask(
            id: id, options: query["options"]?.split(separator: ",").map { BankText(Percent.decode($0) ?? String($0)) },
            code: query["code"].map(String.init))
        return .action(
            ActionLink(
                id: BankText(id.text), bank: BankText("Fern"), returnTo: nil, isRequest: true,
                isFor: { $0.fern?.user == user }, content: ask))
    }
}
