import Basics
import Foundation
import TestSupport
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(2))) struct PageLeadTests {
    private let page = "https://issuer.example/authorize?client_id=mira"

    /// The lines of an answer's head.
    private func answer(to request: String, of lead: PageLead) async throws -> [String] {
        let client = try BrowserSocket(to: "127.0.0.1", try #require(try WebAddress(lead.address.text).port))
        client.send(request + "\r\n\r\n")
        return try await onThread {
            var lines: [String] = []
            while let line = client.line(within: 30), !line.isEmpty { lines.append(line) }
            return lines
        }
    }

    @Test func leadsOnAsOftenAsItIsAsked() async throws {
        let lead = try await PageLead(to: PageAddress(page))
        let address = try WebAddress(lead.address.text)
        #expect(!lead.address.text.contains("issuer") && !lead.address.text.contains("mira"))
        #expect(await lead.isFollowed(within: .milliseconds(1)) == false)
        for _ in 1...2 {
            let lines = try await answer(
                to: "GET \(address.path) HTTP/1.1\r\nHost: \(address.hostForPeople)", of: lead)
            #expect(lines.first == "HTTP/1.1 303 See Other")
            #expect(lines.contains { $0.lowercased() == "location: \(page)" })
            #expect(lines.contains { $0.lowercased() == "cache-control: no-store" })
            #expect(lines.contains { $0.lowercased() == "referrer-policy: no-referrer" })
        }
        #expect(await lead.isFollowed(within: .seconds(30)))
        await lead.close()
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: HOST", "GET PATHx HTTP/1.1\r\nHost: HOST", "POST PATH HTTP/1.1\r\nHost: HOST",
        "GET PATH HTTP/1.1\r\nHost: issuer.example",
    ])
    func nothingElseIsLedOn(_ request: String) async throws {
        let lead = try await PageLead(to: PageAddress(page))
        let address = try WebAddress(lead.address.text)
        let asked = request.replacing("HOST", with: address.hostForPeople).replacing("PATH", with: address.path)
        let lines = try await answer(to: asked, of: lead)
        #expect(lines.first == "HTTP/1.1 404 Not Found" && !lines.contains { $0.contains("issuer.example") })
        #expect(await lead.isFollowed(within: .milliseconds(1)) == false)
        await lead.close()
    }

    @Test func anotherUserIsNotLedOn() async throws {
        let program = """
            use IO::Socket::IP;
            my $client = IO::Socket::IP->new(PeerHost => '127.0.0.1', PeerPort => $ARGV[0]) or die;
            print $client "GET $ARGV[1] HTTP/1.1\\r\\nHost: 127.0.0.1:$ARGV[0]\\r\\n\\r\\n"; $client->flush;
            my $line = <$client>;
            print defined $line ? $line : "closed", "\\n";
            """
        let lead = try await PageLead(to: PageAddress(page))
        let address = try WebAddress(lead.address.text)
        let port = String(try #require(address.port))
        let answer = try await onThread {
            try PerlProgram(program, port, address.path, as: .another).line()
        }
        #expect(answer == "closed")
        #expect(await lead.isFollowed(within: .milliseconds(1)) == false)
        await lead.close()
    }
}
