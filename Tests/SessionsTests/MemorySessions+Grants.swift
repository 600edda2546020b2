import Basics

@testable import Sessions

extension MemorySessions: GrantStore {
    func grants() throws -> [ProgramGrant] { state.withLock { $0.grants } }

    func add(_ grant: ProgramGrant, replacing former: [String]) throws {
        state.withLock { state in
            state.grants.removeAll { former.contains($0.id) }
            state.grants.append(grant)
        }
    }

    func change(_ id: String, _ body: (inout ProgramGrant) -> Void) throws -> ProgramGrant {
        try state.withLock { state in
            guard let index = state.grants.firstIndex(where: { $0.id == id }) else {
                throw StoreError(.notFound, "gone")
            }
            body(&state.grants[index])
            return state.grants[index]
        }
    }

    func removeGrants(_ ids: [String]) throws { state.withLock { $0.grants.removeAll { ids.contains($0.id) } } }
}
