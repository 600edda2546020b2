@testable import Approvals
import Basics
import Crypto
import FoundationEssentials
import ApprovalModel
import Testing

/// A provider has everything that belongs to its wire in its own folder: here a key of its own kind and a state of its own type.
struct OwnFolderTests {
    private let fern = FernProvider()
    private let world: World
    private let workspace: Workspace
    private let operations: LocalOperations

    init() throws {
        world = try World(.init(list: .success(World.list())))
        var workspace = try world.workspace()
        workspace.providers = Providers(workspace.providers.all + [fern])
        self.workspace = workspace
        operations = LocalOperations(
            workspace,
            .init(
                gate: DecidingTests.OpenGate(), positions: [:], links: LinkReaders([FernLinks()]),
                makeID: { "fern-guid" }),
            for: DecidingTests.requester)
    }

    private func enroll() async throws -> Connection {
        let steps = try operations.enrollment(.link(GivenLink("fern:enroll?user=ada&secret=s3"), name: nil))
        _ = try await steps.begin()
        _ = try await steps.accept(returnURL: "")
        return try workspace.connection(named: "fern")
    }

    private func approve(_ id: String, _ option: String) async throws -> DecisionPayload {
        let link = "fern:ask?id=\(id)&user=ada&options=oak,elm"
        let ref = try #require(try await operations.claim(GivenLink(link), for: "fern").action.authorization)
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        return try await operations.approve(
            DecisionRequest(ref: ref, fingerprint: card.fingerprint, position: nil, waits: true, option: option),
            pin: PlainSecret("271828"), from: .person, isGivenUp: { false })
    }

    /// The key is sealed as bytes, made again from them, and its signature is that of the enrolled key.
    @Test func itsKeyIsKeptAndSigns() async throws {
        let connection = try await enroll()
        let kept = world.vault.contents.withLock { $0.secrets[connection.keyID] }
        #expect(kept?.keys.sorted() == ["shared-secret", "signing-key"] && kept?["signing-key"]?.count == 32)
        let key = try world.vault.load(.signing, of: connection.keyID)
        #expect(
            fern.server.contents.withLock { $0.publicKeys["ada"] }?.rawRepresentation == key.publicKey.rawRepresentation
        )
        #expect(try await approve("78", "elm").outcome == .confirmed)
        // The bank takes no other key's signature.
        fern.server.contents.withLock { $0.publicKeys["ada"] = P256.Signing.PrivateKey().publicKey }
        #expect(try await approve("79", "elm").outcome == .refused)
        _ = try await operations.revoke("fern", localOnly: false)
        #expect(world.vault.contents.withLock { $0.secrets[connection.keyID] } == nil)
    }

    /// The bank's answers change the state, which the row keeps as the provider codes it.
    @Test func itsStateIsKept() async throws {
        _ = try await enroll()
        for id in ["78", "79"] { #expect(try await approve(id, "oak").outcome == .refused) }
        let stored = try workspace.connection(named: "fern")
        let read = try JSONDecoder().decode(Connection.self, from: try JSONEncoder().encode(stored))
        #expect(read.fern == FernState(user: "ada", refused: 2))
        #expect(try await operations.connections().connections.first?.supportEmail == "ada@fern.example")
    }

    /// A secret whose worth ends at the bank is declared as one.
    @Test func itsSecretsOutliveTheEndAtTheBank() async throws {
        let connection = try await enroll()
        lose()
        await #expect(throws: (any Error).self) { try await operations.prove("fern") }
        #expect(try workspace.connection(named: "fern").status == .inactive)
        #expect(world.vault.contents.withLock { $0.secrets[connection.keyID]?.count } == 2)
    }

    private func lose() { fern.server.contents.withLock { $0.proofs = [BankError(.connectionGone, "who")] } }
}
