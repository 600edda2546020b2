import Basics
import Foundation
import Hummingbird
@testable import LocalSocket
import TestSupport
import Testing

/// How many connections a process and all programs together may have.
@Suite(.timeLimit(.minutes(2))) struct SocketCrowds {
    /// Opens connections, asks on each for what takes long, and prints so many answers as there are. Then it waits. Which connections are
    /// one too many is the server's choice: several threads take them.
    private static let crowd = """
        use IO::Socket::UNIX; use IO::Select;
        $SIG{PIPE} = 'IGNORE';
        my ($path, $count, $answers) = @ARGV;
        my ($all, @told) = IO::Select->new;
        for my $number (1..$count) {
            my $client = IO::Socket::UNIX->new(Peer => $path) or die;
            print $client "GET /slow HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"; $client->flush;
            $all->add($client);
        }
        $| = 1;
        while (@told < $answers) {
            for my $client ($all->can_read) {
                my $line = <$client>;
                push @told, defined $line ? (split / /, $line)[1] : "closed";
                $all->remove($client);
            }
        }
        print "@told\\n";
        <STDIN>;
        """

    /// `arrival` opens when a request comes that takes long.
    private func fixture(_ limits: LocalServer.Limits, arrival: Door = Door()) throws -> SocketServerFixture {
        var limits = limits
        limits.drain = .milliseconds(50)
        return try SocketServerFixture(limits: limits) { request, caller in
            if request.uri.path == "/slow" {
                arrival.unlock()
                try? await caller.presence.whilePresent { try await Task.sleep(for: .seconds(3600)) }
            }
            return Response(status: .ok)
        }
    }

    @Test func aProcessHasItsShareAndOthersHaveTheirs() async throws {
        let fixture = try fixture(.init(connectionsOfProcess: 3))
        let path = fixture.path
        let crowds = try [
            PerlProgram(Self.crowd, path, "5", "2"), PerlProgram(Self.crowd, path, "4", "1"),
        ]
        #expect(try await onThread { try crowds.map { try $0.line() } } == ["503 503", "503"])
        let client = try fixture.client()
        #expect(try await onThread { try client.send("GET", "/").status } == 200)
        await fixture.shutDown()
        withExtendedLifetime(crowds) {}
        try await fixture.end()
    }

    @Test func whatAProcessHasIdleMakesRoomForItself() async throws {
        let fixture = try fixture(.init(connectionsOfProcess: 2))
        var clients: [LocalClient] = []
        for _ in 1...2 { clients.append(try await fixture.answeredClient()) }
        let third = try fixture.client()
        #expect(try await onThread { try third.send("GET", "/").status } == 200)
        while clients[0].isOpen { await Task.yield() }
        #expect(clients[1].isOpen)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func theLastPlacesAreForOurOwnProgram() async throws {
        let fixture = try fixture(.init(connections: 4, connectionsOfProcess: 4, reserved: 2))
        let crowd = try PerlProgram(Self.crowd, fixture.path, "4", "2")
        #expect(try await onThread { try crowd.line() } == "503 503")
        let clients = try [fixture.client(), fixture.client()]
        for client in clients { #expect(try await onThread { try client.send("GET", "/").status } == 200) }
        await fixture.shutDown()
        withExtendedLifetime(crowd) {}
        try await fixture.end()
    }

    @Test func whoIsRefusedAndSaysNothingIsClosedSoon() async throws {
        let arrival = Door()
        let fixture = try fixture(
            .init(connectionsOfProcess: 1, silence: .seconds(3600), idleness: .seconds(3600)), arrival: arrival)
        let busy = try fixture.client()
        let call = Task { try await onThread { try busy.send("GET", "/slow") } }
        await arrival.passes()
        let client = try fixture.client()
        #expect(try await onThread { try client.send("GET", "/").status } == 503)
        var refused = [client]
        for _ in 1...40 { refused.append(try fixture.client()) }
        while refused.contains(where: \.isOpen) { try await Task.sleep(for: .milliseconds(20)) }
        busy.cancel()
        // Until then it was open.
        await #expect(throws: SocketError.cancelled) { try await call.value }
        await fixture.shutDown()
        try await fixture.end()
    }
}
