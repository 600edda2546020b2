import Basics
package import FoundationEssentials

/// Requests of Kubernetes' clients to a credential plugin, and their answers (`ExecCredential` of
/// `client.authentication.k8s.io`, v1 and v1beta1).
package struct KubernetesCredential: Sendable {
    private let version: String
    /// Whether somebody is there to answer questions.
    package let isInteractive: Bool

    private struct Object: Codable {
        struct Spec: Codable { var interactive: Bool? }
        struct Status: Codable {
            var expirationTimestamp: String?
            var token: String
        }
        var apiVersion: String
        var kind: String
        var spec: Spec?
        var status: Status?
    }

    private static let versions = ["v1", "v1beta1"].map { "client.authentication.k8s.io/\($0)" }

    /// `information`: the value of `KUBERNETES_EXEC_INFO`; nil if a person runs the plugin. Throws a usage failure unless it is an
    /// `ExecCredential` of a supported version.
    package init(_ information: String?) throws {
        guard let information else {
            (version, isInteractive) = (Self.versions[0], true)
            return
        }
        guard let object = try? JSONDecoder().decode(Object.self, from: Data(information.utf8)),
            object.kind == "ExecCredential"
        else { throw Failure.usage("KUBERNETES_EXEC_INFO holds no ExecCredential") }
        guard Self.versions.contains(object.apiVersion) else {
            throw Failure.usage(
                "this version of ExecCredential is not spoken",
                hint: "apiVersion: \(Self.versions[0])")
        }
        version = object.apiVersion
        isInteractive = object.spec?.interactive ?? false
    }

    /// The answer. `until`: when the client asks again; nil for never.
    package func answer(_ token: String, until: Date?) throws -> String {
        let status = Object.Status(expirationTimestamp: until.map(Timestamp.format), token: token)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let object = Object(apiVersion: version, kind: "ExecCredential", status: status)
        return String(decoding: try encoder.encode(object), as: UTF8.self) + "\n"
    }
}
