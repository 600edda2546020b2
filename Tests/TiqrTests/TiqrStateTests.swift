import Basics
import FoundationEssentials
import ApprovalModel
import Testing

@testable import Tiqr

struct TiqrStateTests {
    private static func row(_ members: String) throws -> Connection {
        let row = #"""
            {"guid":"g","name":"fern","id":"ada","keyID":"k","status":"doubtful","wireProtocol":"tiqr",
            "baseURL":"https://fern.example","bankName":"Fern","createdAt":0,"updatedAt":1\#(members)}
            """#
        return try JSONDecoder().decode(Connection.self, from: Data(row.utf8))
    }

    private static let plain = #","service":"fern.example","suite":"OCRA-1:HOTP-SHA1-6:QH10-S","pin":"vault""#

    @Test func aRowOfSchema10IsRead() throws {
        let fresh = try #require(Self.row(Self.plain + #","enrollment":"https://fern.example/e""#).tiqr)
        #expect(fresh.service == "fern.example" && fresh.suite == "OCRA-1:HOTP-SHA1-6:QH10-S")
        #expect(fresh.enrollment == "https://fern.example/e" && fresh.refused == [] && fresh.unexplained == 0)
        let doubtful = #","refused":"s1 s2","unexplained":"1","attemptsLeft":2,"attemptsLeftAt":9.5,"blockedUntil":10"#
        let state = try #require(Self.row(Self.plain + doubtful).tiqr)
        #expect(state.enrollment == nil && state.refused == ["s1", "s2"] && state.unexplained == 1)
        #expect(state.attemptsLeft == 2 && state.attemptsLeftAt == Date(timeIntervalSinceReferenceDate: 9.5))
        #expect(state.blockedUntil == Date(timeIntervalSinceReferenceDate: 10))
    }

    @Test func itIsReadAsItWasWritten() throws {
        var connection = try Self.row(Self.plain)
        connection.state = try connection.state.changed(TiqrState.self) {
            $0.refused = ["with a space", "s2"]
            $0.unexplained = 2
            $0.take(attemptsLeft: 1, blockedUntil: nil, at: Date(timeIntervalSinceReferenceDate: 3))
        }
        let state = try #require(connection.tiqr)
        #expect(state.refused == ["with a space", "s2"] && state.unexplained == 2)
        #expect(state.attemptsLeft == 1 && state.attemptsLeftAt == Date(timeIntervalSinceReferenceDate: 3))
    }

    /// The time is that of the first answer that gave this number.
    @Test func theNumberOfAttemptsKeepsItsTime() throws {
        var state = TiqrState(service: "s", suite: "o", enrollment: nil)
        let times = [1.0, 2, 3].map { Date(timeIntervalSinceReferenceDate: $0) }
        for (left, now) in zip([3, 3, 2], times) { state.take(attemptsLeft: left, blockedUntil: nil, at: now) }
        #expect(state.attemptsLeftAt == times[2])
        state.take(attemptsLeft: 2, blockedUntil: times[0], at: times[0])
        #expect(state.attemptsLeftAt == times[2] && state.blockedUntil == times[0])
        state.take(attemptsLeft: nil, blockedUntil: nil, at: times[0])
        #expect(state.attemptsLeftAt == nil && state.blockedUntil == nil)
    }
}
