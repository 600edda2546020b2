@testable import Approvals
import ApprovalModel
import Synchronization

/// Drives an enrollment with a scripted callback, after a yes to the hosts.
func drive(
    _ enrollment: Enrollment, _ callback: ScriptedCallback, notices: NoticeList = NoticeList()
) async throws -> Connection {
    _ = try await enrollment.begin()
    switch try await enrollment.accept(returnURL: callback.returnURL) {
    case .connected(let connection): return connection
    case .page(let page): callback.open(page)
    }
    var last: EnrollmentError?
    while let address = callback.next() {
        do {
            let connection = try await enrollment.take(address)
            callback.answer(connection != nil)
            if let connection { return connection }
        } catch let error as EnrollmentError {
            callback.answer(false)
            notices.add(error)
            last = error
        }
    }
    throw last ?? EnrollmentError.waitOver
}

final class NoticeList: Sendable {
    private let list = Mutex<[EnrollmentError]>([])
    var errors: [EnrollmentError] { list.withLock { $0 } }
    func add(_ error: EnrollmentError) { list.withLock { $0.append(error) } }
}

/// Holds every proof back until the test opens the gate, once.
final class ProofGate: Sendable {
    private let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation
    private let expected: Int
    private let held = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(expecting expected: Int) {
        self.expected = expected
        (arrivals, arrive) = AsyncStream.makeStream()
    }

    func pass() async {
        await withCheckedContinuation { proof in
            held.withLock { $0.append(proof) }
            arrive.yield()
        }
    }

    func everyoneIsThere() async {
        var count = 0
        for await _ in arrivals {
            count += 1
            if count == expected { return }
        }
    }

    func open() {
        for proof in held.withLock({ $0 }) { proof.resume() }
    }
}
