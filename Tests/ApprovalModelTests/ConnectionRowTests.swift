import Basics
import FoundationEssentials
import ApprovalModel
import Testing

/// The form in which a connection is sealed.
struct ConnectionRowTests {
    /// The values of a provider that this program does not have.
    struct State: Codable, Equatable {
        var motto: String
        var count: Int?
        var since: Date?
        var isGreen: Bool?
    }

    private static func row(_ members: String) throws -> Connection {
        let row = #"""
            {"guid":"g","name":"fern","id":"12","keyID":"k","status":"doubtful","wireProtocol":"fern-1",
            "baseURL":"https://fern.example","bankName":"Fern","createdAt":0,"updatedAt":1\#(members)}
            """#
        return try JSONDecoder().decode(Connection.self, from: Data(row.utf8))
    }

    /// Until schema 10, the provider's values stood beside the connection's own.
    @Test(
        arguments: [
            (#","motto":"green""#, State(motto: "green")),
            (
                #","motto":"1","count":3,"since":804556800.25,"isGreen":true"#,
                State(motto: "1", count: 3, since: Date(timeIntervalSinceReferenceDate: 804_556_800.25), isGreen: true)
            ),
        ])
    func anOlderRowIsRead(_ members: String, _ state: State) throws {
        let read = try Self.row(members)
        #expect(try read.state.read() == state)
        #expect(try read.name == #require(ConnectionName("fern")) && read.status == .doubtful && read.replaced == [])
        // The next change writes it in today's form.
        let written = try JSONEncoder().encode(read)
        let members = try JSONDecoder().decode([String: Raw].self, from: written).keys
        #expect(members.contains("state") && !members.contains("motto"))
        #expect(try JSONDecoder().decode(Connection.self, from: written) == read)
    }

    private struct Raw: Decodable { init(from decoder: any Decoder) {} }

    @Test func theConnectionsThatItReplacesAreReadAlike() throws {
        let inner = #"""
            {"guid":"g","name":"fern","id":"12","keyID":"old","status":"active","wireProtocol":"fern-1",
            "baseURL":"https://fern.example","bankName":"Fern","createdAt":0,"updatedAt":1,"motto":"brown"}
            """#
        let read = try Self.row(#","motto":"green","replaced":[\#(inner)]"#)
        #expect(try read.replaced.map { try $0.state.read(as: State.self).motto } == ["brown"])
        #expect(try read.state.read(as: State.self).motto == "green")
    }

    /// A provider may give its values any names, also those of the connection's members.
    @Test func aProvidersNamesClashWithNothing() throws {
        struct Clash: Codable, Equatable {
            var status = "sealed"
            var state = ["nested"]
        }
        var connection = try Self.row("")
        connection.state = try ProviderState(Clash())
        let read = try JSONDecoder().decode(Connection.self, from: try JSONEncoder().encode(connection))
        #expect(try read.state.read() == Clash() && read.status == .doubtful)
        #expect(throws: DecodingError.self) { try read.state.read(as: State.self) }
    }
}
