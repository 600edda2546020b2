@testable import Approvals
import Basics
import ApprovalModel
import Testing

/// A claim is recorded before it is sent, and an answer that does not tell leaves it unknown.
struct ClaimingTests {
    private static let requester = Requester(pid: 1, uid: 0, commands: [])

    private func claim(_ result: Result<ActionAnswer, BankError>) async throws -> (
        World, Result<ActionAnswer, any Error>
    ) {
        let world = try World(.init(claim: result))
        let link = ActionLink(
            id: BankText("u-1"), bank: BankText("bank.example"), returnTo: nil, isFor: { _ in true }, content: ())
        let claiming = Claiming(try world.workspace())
        do {
            return (world, .success(try await claiming.claim(link, for: world.connection, by: Self.requester)))
        } catch {
            return (world, .failure(error))
        }
    }

    @Test func aYesIsRecorded() async throws {
        let answer = ActionAnswer(success: true, authorization: BankID("88"))
        let (world, result) = try await claim(.success(answer))
        #expect(try result.get() == answer)
        #expect(world.log.events == [.claiming, .claimed(.claimed)])
    }

    @Test(arguments: [
        BankError(.noAnswer, ""), BankError(.malformedAnswer, "", status: 200), BankError(.tooLarge, "", status: 200),
        BankError(.refused, "", status: 500), BankError(.refused, "", status: 504),
    ])
    func anAnswerThatDoesNotTellLeavesItUnknown(_ error: BankError) async throws {
        let (world, result) = try await claim(.failure(error))
        #expect(throws: LostClaim.self) { try result.get() }
        #expect(world.log.events == [.claiming])
    }

    @Test(arguments: [
        BankError(.refused, "", status: 400), BankError(.unreachable(), ""),
        BankError(.refused, "", errorClass: BankText("InternalError"), status: 500),
        BankError(.actionRefused, "", errorClass: BankText("ActionClosed"), status: 422),
    ])
    func aNoIsRecorded(_ error: BankError) async throws {
        let (world, result) = try await claim(.failure(error))
        #expect { try result.get() } throws: { ($0 as? BankError)?.kind == error.kind }
        #expect(world.log.events == [.claiming, .claimed(.refused)])
    }
}
