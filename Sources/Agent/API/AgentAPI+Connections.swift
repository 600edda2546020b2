internal import Basics
internal import SCA

extension AgentAPI {
    private struct NewName: JSONRequest {
        static let members: Set = ["name"]
        var name: String
    }

    static let connectionRoutes = [
        Route(.get, "/connections") { .json(try await $0.operations().connections()) },
        Route(.patch, "/connections/{name}", body: .json) {
            let name = try connectionName(try await $0.body(NewName.self).name)
            return .json(try await $0.operations().rename($0["name"], to: name))
        },
        Route(.delete, "/connections/{name}", query: ["local_only"]) {
            let localOnly = try $0.flag("local_only") ?? false
            return .json(try await $0.operations().revoke($0["name"], localOnly: localOnly))
        },
        Route(.post, "/connections/{name}/prove", endsWithCaller: true) {
            try await $0.operations().prove($0["name"])
            return .done
        },
    ]

    static func connectionName(_ text: String) throws -> ConnectionName {
        guard let name = ConnectionName(text) else { throw Failure.badName }
        return name
    }
}
