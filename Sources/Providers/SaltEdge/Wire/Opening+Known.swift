import ApprovalModel
import Cryptography

/// A sealed item in a bank's list.
protocol SealedItem: Sendable {
    /// Everything that the list says about it.
    var sealedForm: [String] { get }
}

extension SaltEdgeService {
    /// As `openAll`, but opens only items whose sealed form was not opened with this key before, and remembers the
    /// results.
    func openChanged<Item: SealedItem, Opened>(
        _ items: [Item], _ known: OpenedItems<Opened>,
        _ open: @escaping @Sendable (Item) throws(ItemFault) -> Opened
    ) async throws -> (opened: [Opened], faults: [ItemFault]) {
        // Opening many items takes long and must not block the thread that makes the calls.
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

    /// SHA-256 over the sealed form, each part with its length, so that different forms never give the same bytes.
    private func digest(of item: some SealedItem) -> SealedDigest {
        var bytes: [UInt8] = []
        for part in [connection.keyID.text, connection.guid.text] + item.sealedForm {
            // The number's 8 bytes are copied within the closure.
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { bytes += $0 }
            bytes += part.utf8
        }
        return SealedDigest(Digest.sha256(bytes))
    }
}
