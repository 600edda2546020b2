import Approvals
import Basics
import Client
import Glibc
import WindowModel

extension Conductor {
    func perform(_ effect: BankEffect) {
        switch effect {
        case .list:
            call { agent in
                .bank(.connections(.success(try await agent.approvals.perform(ApprovalVerbs.connections))))
            } failed: {
                .bank(.connections(.failure($0)))
            }
        case .consents(let name):
            call { agent in
                let request = ConsentsRequest(connection: name)
                let round = try await agent.approvals.perform(ApprovalVerbs.consents, request)
                return .bank(.consents(of: name, .success(round)))
            } failed: {
                .bank(.consents(of: name, .failure($0)))
            }
        case .act(let act, let name):
            call { agent in
                .bank(.done(act, on: name, .success(try await Self.carryOut(act, on: name, agent))))
            } failed: {
                .bank(.done(act, on: name, .failure($0)))
            }
        case .choosePicture: window?.choosePicture { [weak self] in self?.take(.bank(.adding(.picture($0)))) }
        case .readPicture(let path, let attempt):
            read(attempt) { try QRPicture.codes(in: try PictureFile.bytes(at: path)) }
        case .readScreen(let attempt):
            read(attempt) {
                let path = try await ScreenPicture.take()
                // Anybody who finds the file could use the code.
                defer { unlink(path) }
                return try QRPicture.codes(in: try PictureFile.bytes(at: path))
            }
        case .enroll(let request, let known, let attempt):
            guard let agent else { return }
            enrolling.begin(request, besides: known, by: agent) { [weak self] news in
                self?.take(.bank(.adding(news.event(of: attempt))))
            }
        case .answer(let answer): enrolling.answer(answer)
        case .paste(let address): enrolling.paste(address)
        case .abandon: enrolling.abandon()
        }
    }

    /// Returns the connection's name afterwards.
    private nonisolated static func carryOut(
        _ act: BankAct, on name: String, _ agent: RunningAgent
    ) async throws -> String {
        let approvals = agent.approvals
        switch act {
        case .prove: try await approvals.perform(ApprovalVerbs.prove, on: name)
        case .rename(let new):
            return try await approvals.perform(ApprovalVerbs.rename, on: name, NewName(name: new)).connection.name
        case .disconnect(let localOnly):
            _ = try await approvals.perform(ApprovalVerbs.revoke, on: name, RevokeOptions(localOnly: localOnly))
        case .revoke(let consent): _ = try await approvals.perform(ApprovalVerbs.revokeConsent, on: consent)
        }
        return name
    }

    private func read(_ attempt: Int, _ codes: @escaping @Sendable () async throws -> [String]) {
        Task {
            let result = await Self.result(of: codes)
            take(.bank(.adding(.codes(attempt: attempt, result))))
        }
    }

    @concurrent
    private nonisolated static func result(of codes: @Sendable () async throws -> [String]) async -> Result<
        [String], Failure
    > {
        do { return .success(try await codes()) } catch { return .failure(Failure(error)) }
    }
}
