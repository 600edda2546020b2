import Approvals
import Basics
import Client
import Glibc
import LocalSocket
import WindowModel

/// Our own command, for the tasks that need the vault itself and no agent can do: the first PIN, and the end of everything. A PIN goes to it by a
/// pipe, as from a PIN file; it never stands in arguments or files.
enum OwnCommand {
    /// The program that lies beside this one.
    static func path() throws -> String {
        guard let own = OwnFiles.running, let slash = own.lastIndex(of: "/") else { throw unknown }
        return own[..<slash] + "/countersign"
    }

    /// Runs it, and returns its JSON. Throws the failure that it reports.
    @concurrent
    static func run(_ arguments: [String], lines: [any Secret] = []) async throws -> (code: Int32, json: [UInt8]) {
        let program = try path()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw unknown }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A pipe holds far more than a PIN, so this does not block.
        for line in lines {
            line.withBytes { _ = write(ends[1], $0.baseAddress, $0.count) }
            _ = write(ends[1], "\n", 1)
        }
        close(ends[1])
        defer { close(ends[0]) }
        let end = ProgramOutput.whole(
            program, arguments + ["--json", "--no-input"], input: ends[0], most: 1 << 20, patience: .seconds(60))
        guard case .ended(let code, let json) = end else { throw unknown }
        if code != 0, let failure = try? JSONForm.decode(FailurePayload.self, from: json) {
            throw failure.error.failure
        }
        return (code, json)
    }

    /// Runs it, and throws unless it did its work.
    static func done(_ arguments: [String], lines: [any Secret]) async throws {
        guard try await run(arguments, lines: lines).code == 0 else { throw unknown }
    }

    private static let unknown = Failure(
        .internal, "the program beside the window did not answer", hint: "countersign doctor shows why")

    static func status() async throws -> StatusPayload {
        try JSONForm.decode(StatusPayload.self, from: try await run(["status"]).json)
    }

    /// The checks of doctor, good and bad.
    static func findings() async throws -> [Finding] {
        struct Findings: Decodable {
            struct Check: Decodable {
                var name: String
                var ok: Bool
                var message: String
                var hint: String?
            }
            var checks: [Check]
        }
        let findings = try JSONForm.decode(Findings.self, from: try await run(["doctor"]).json)
        return findings.checks.map { Finding($0.name, isGood: $0.ok, $0.message, hint: $0.hint) }
    }
}
