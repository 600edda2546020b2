import SCA
import SCACrypto

/// An item that a bank lists sealed.
protocol SealedItem: Sendable {
    /// All that stands in the list about it.
    var sealedForm: [String] { get }
}

extension SaltEdgeService {
    /// As `openAll`, but for what is known already of this very sealed form under this very key. The rest is opened and kept.
    func openChanged<Item: SealedItem, Opened>(
        _ items: [Item], _ known: OpenedItems<Opened>,
        _ open: @escaping @Sendable (Item) throws(ItemFault) -> Opened
    ) async throws -> (opened: [Opened], faults: [ItemFault]) {
        // Many items take their time, which is not that of the thread that carries the calls.
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let before = known.outcomes(of: connection.guid)
            let sealed = items.map { (item: $0, digest: digest(of: $0)) }
            let (fresh, _) = try await SaltEdge.openAll(sealed.filter { before[$0.digest] == nil }) { sealed in
                (sealed.digest, Result { () throws(ItemFault) in try open(sealed.item) })
            }
            let new = Dictionary(fresh, uniquingKeysWith: { first, _ in first })
            var now: [SealedDigest: OpenedItems<Opened>.Outcome] = [:]
            var (opened, faults): ([Opened], [ItemFault]) = ([], [])
            for (_, digest) in sealed {
                guard let outcome = before[digest] ?? new[digest] else { continue }
                now[digest] = outcome
                switch outcome {
                case .success(let item): opened.append(item)
                case .failure(let fault): faults.append(fault)
                }
            }
            known.keep(now, of: connection.guid)
            return (opened, faults)
        }
    }

    /// Each part with its length, so that no two forms give the same bytes.
    private func digest(of item: some SealedItem) -> SealedDigest {
        var bytes: [UInt8] = []
        for part in [connection.keyID.text, connection.guid.text] + item.sealedForm {
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { bytes += $0 }
            bytes += part.utf8
        }
        return SealedDigest(Digest.sha256(bytes))
    }
}
