@testable import Approvals
import Basics
import ApprovalModel
import Keys
import Testing

/// The local secrets are destroyed only after the bank said yes, or that it does not know the connection.
struct RevocationTests {
    @Test func aYesDestroysEverything() async throws {
        let world = try World(.init(revocation: .success(())))
        #expect(try await Maintaining(world.workspace()).revoke(world.connection, localOnly: false) == .told)
        #expect(try world.connections.connections().isEmpty)
        #expect(try world.vault.keyIDs().isEmpty)
    }

    @Test func aBankThatForgotTheConnectionCountsAsYes() async throws {
        let world = try World(.init(revocation: .failure(BankError(.connectionGone, ""))))
        #expect(try await Maintaining(world.workspace()).revoke(world.connection, localOnly: false) == .already)
        #expect(try world.connections.connections().isEmpty)
        #expect(try world.vault.keyIDs().isEmpty)
    }

    @Test(arguments: [BankError.Kind.unreachable(), .noAnswer, .refused, .malformedAnswer, .signatureExpired])
    func anyOtherAnswerKeepsEverything(_ code: BankError.Kind) async throws {
        let world = try World(.init(revocation: .failure(BankError(code, ""))))
        await #expect {
            try await Maintaining(world.workspace()).revoke(world.connection, localOnly: false)
        } throws: { ($0 as? BankError)?.kind == code }
        #expect(try world.connections.connections() == [world.connection])
        #expect(try world.vault.keyIDs() == [KeyID("old")])
    }

    @Test(arguments: [true, false]) func aFailedDestructionSaysWhetherTheBankWasTold(_ isTold: Bool) async throws {
        let world = try World(.init(revocation: .success(())))
        world.vault.contents.withLock { $0.refusesToDestroy = true }
        let error = await #expect(throws: UnfinishedRevocation.self) {
            try await Maintaining(world.workspace()).revoke(world.connection, localOnly: !isTold)
        }
        #expect(error?.isTold == isTold)
        #expect(error?.cause is SecretServiceError)
        #expect(try world.connections.connections() == [world.connection])
    }

    @Test func localOnlyTellsNobody() async throws {
        let world = try World()
        #expect(try await Maintaining(world.workspace()).revoke(world.connection, localOnly: true) == .here)
        #expect(try world.connections.connections().isEmpty)
    }

    @Test(arguments: [
        ("nordia", ["nordea"]), ("nor", ["nordea"]), ("zzz", []), ("nordea2", ["nordea"]),
    ])
    func mistypedNamesAreGuessed(_ wanted: String, _ expected: [String]) {
        #expect(Likeness.nearest(to: wanted, among: ["nordea", "fernbank"]) == expected)
    }
}
