import ApprovalModel
import SaltEdge
import Testing

@Suite struct OpeningTests {
    @Test(arguments: [1, 2, 3, 8])
    func itemsAndFaultsComeInTheOrderOfTheList(workers: Int) async throws {
        let items = Array(0..<60)
        let (opened, faults) = try await openAll(items, workers: workers) { item throws(ItemFault) in
            if item % 3 == 0 { throw ItemFault(id: nil, reason: "\(item)") }
            return item
        }
        #expect(opened == items.filter { $0 % 3 != 0 })
        #expect(faults.map(\.reason) == items.filter { $0 % 3 == 0 }.map(String.init))
    }

    @Test func whoIsCancelledGetsNoPartOfTheList() async {
        let opening = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await openAll([1, 2, 3]) { item throws(ItemFault) in
                Issue.record("it was opened")
                return item
            }
        }
        await #expect(throws: CancellationError.self) { try await opening.value }
    }
}
