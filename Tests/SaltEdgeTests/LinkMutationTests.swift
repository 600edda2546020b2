import Basics
import ApprovalModel
@testable import SaltEdge
import Testing

/// Random links and redirects: each results in a value or an error, never in a crash, and accepted ones obey the rules.
@Suite struct LinkMutationTests {
    @Test(arguments: 0..<4) func links(_ seed: UInt64) throws {
        let seeds = [
            "authenticator://saltedge.com/connect?configuration=https://b.example:8443/api/authenticator/v2/c/9&connect_query=k7Qx",
            "authenticator://saltedge.com/connect?configuration=https%3A%2F%2Fb%C3%BC.example%2Fx",
            "authenticator://saltedge.com/action?action_uuid=u-1&connect_url=http://127.0.0.1:85/gw&return_to=https://s.example",
            "authenticator://saltedge.com/action?api_version=2&action_id=4711&provider_id=9",
        ]
        var random = SeededGenerator(seed: seed)
        for index in 0..<8000 {
            guard let link = try? SaltEdgeLink.parse(random.mutate(seeds[index % seeds.count])) else { continue }
            switch link {
            case .connect(let connect): try keepsTheRules(connect.configuration)
            case .action(let action):
                if case .uuid(_, let bank) = action.target { try keepsTheRules(bank) }
            }
        }
    }

    @Test(arguments: 4..<7) func redirects(_ seed: UInt64) {
        let returnURL = "http://127.0.0.1:4711/c/9f"
        let seeds = [
            "http://127.0.0.1:4711/c/9f?id=812&access_token=Zt4m0",
            "authenticator://oauth/redirect?error_class=X&error_message=a+b%20c",
            "authenticator://oauth/redirect/%7B%22access_token%22%3A%22Zt4m0%22%2C%22id%22%3A812%7D",
        ]
        var random = SeededGenerator(seed: seed)
        for index in 0..<8000 {
            let address = random.mutate(seeds[index % seeds.count])
            guard case .grant(let grant) = Redirect.parse(address, returnURL: returnURL) else { continue }
            #expect(!grant.accessToken.untrusted.isEmpty)
        }
    }

    @Test(arguments: 7..<10) func addressesAndTimes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<8000 {
            if let address = try? WebAddress(random.mutate("https://bank.example:8443/gw/x%20?a=b#c")) {
                try keepsTheRules(address)
            }
            if let time = Timestamp.parse(random.mutate("2030-01-01T00:00:00.123+02:00")) {
                #expect(Timestamp.parse(Timestamp.format(time)) != nil)
            }
        }
    }

    private func keepsTheRules(_ address: WebAddress) throws {
        #expect(address.scheme == "https" || address.isLoopback)
        #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(!address.origin.contains("@"))
        #expect(try WebAddress(address.text) == address)
        #expect(!address.base.path.hasSuffix("/"))
    }
}
