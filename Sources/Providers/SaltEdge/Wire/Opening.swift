import Basics
import FoundationEssentials
package import ApprovalModel
import Cryptography

/// Opens the items of a list on all cores, or on `workers` of them, since two private-key operations for each item are
/// most of the cost of a poll. After each item other tasks get their turn, so that none waits for the end of a long
/// list. Results and faults are in the order of the list. Throws when its task is cancelled, since a part of a list
/// must not be taken for the whole. Public for the benchmark.
package func openAll<Item: Sendable, Opened: Sendable>(
    _ items: [Item], workers: Int? = nil, _ open: @escaping @Sendable (Item) throws(ItemFault) -> Opened
) async throws -> (opened: [Opened], faults: [ItemFault]) {
    guard !items.isEmpty else { return ([], []) }
    let workers = min(items.count, max(workers ?? ProcessInfo.processInfo.activeProcessorCount, 1))
    let results = try await withThrowingTaskGroup(of: [(Int, Result<Opened, ItemFault>)].self) { group in
        for worker in 0..<workers {
            group.addTask(executorPreference: globalConcurrentExecutor) {
                var results: [(Int, Result<Opened, ItemFault>)] = []
                for index in stride(from: worker, to: items.count, by: workers) {
                    try Task.checkCancellation()
                    results.append((index, Result { () throws(ItemFault) in try open(items[index]) }))
                    await Task.yield()
                }
                return results
            }
        }
        return try await group.reduce(into: []) { $0 += $1 }
    }
    var opened: [Opened] = []
    var faults: [ItemFault] = []
    for (_, result) in results.sorted(by: { $0.0 < $1.0 }) {
        switch result {
        case .success(let item): opened.append(item)
        case .failure(let fault): faults.append(fault)
        }
    }
    return (opened, faults)
}

extension Envelope {
    /// Opens the envelope and reads the JSON inside. The fault does not say which step failed.
    func payload<T: Decodable>(
        _ type: T.Type, of id: BankID, key: any PrivateKey
    ) throws(ItemFault) -> (payload: T, plaintext: LockedBytes) {
        let plaintext: LockedBytes
        do {
            plaintext = try open(with: key)
        } catch {
            throw .unopened(id)
        }
        let json = plaintext.withBytes { Data($0) }
        guard let payload = try? JSONDecoder().decode(T.self, from: json) else { throw .unopened(id) }
        return (payload, plaintext)
    }
}

extension ItemFault {
    /// Reads the time in a sealed member. Throws when it is not a time.
    static func time(_ text: String, of id: BankID) throws(ItemFault) -> Date {
        guard let time = Timestamp.parse(text) else { throw .unopened(id) }
        return time
    }
}
