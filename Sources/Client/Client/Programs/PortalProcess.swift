import Basics
import CPlatform
package import Desktop
import Dispatch
import FoundationEssentials
import Glibc

/// A process that asks the desktop's portal for this one.
///
/// A portal refuses a process that cannot be dumped, as every process of this program that may hold a secret. So the program
/// is started anew under another name: that process may be dumped, holds no secret, and gets its wish from a pipe, since others can read
/// its arguments. It ends when the process that started it does.
package enum PortalProcess {
    /// The program's name (`argv[0]`) that makes it this process.
    package static let name = "countersign-portal"

    /// Starts the process and waits at most `patience` for its answer. A process that is still needed, for a window of the portal, goes on.
    package static func ask(_ wish: PortalWish, patience: Duration) -> PortalAnswer {
        var (wishes, answers): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&wishes) == 0 else { return .failed(.silent) }
        guard pipe(&answers) == 0 else {
            for end in wishes { close(end) }
            return .failed(.silent)
        }
        // The child gets its ends only as standard input and output.
        for end in wishes + answers { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var pid = pid_t()
        let fault = ArgumentVector.with([name]) {
            countersign_spawn(&pid, "/proc/self/exe", $0, environ, [wishes[0], answers[1], -1], 3, 1)
        }
        for end in [wishes[0], answers[1]] { close(end) }
        defer { close(answers[0]) }
        guard fault == 0 else {
            close(wishes[1])
            return .failed(.silent)
        }
        var answer: PortalAnswer?
        if let bytes = try? JSONEncoder().encode(wish) + [10], write(all: bytes, to: wishes[1]) {
            answer = ProgramOutput.all(of: answers[0], most: 65536, until: .now + patience)
                .flatMap { try? JSONDecoder().decode(PortalAnswer.self, from: Data($0)) }
        }
        if answer == nil { kill(pid, SIGKILL) }
        // The open pipe says that this process is still there.
        DispatchQueue(label: "portal").async { [pid, input = wishes[1]] in
            while waitpid(pid, nil, 0) < 0, errno == EINTR {}
            close(input)
        }
        return answer ?? .failed(.silent)
    }

    /// Is this process, until the wish is granted or nobody waits any more.
    package static func run() -> Never {
        signal(SIGPIPE, SIG_IGN)
        guard let line = readLine(),
            let wish = try? JSONDecoder().decode(PortalWish.self, from: Data(line.utf8))
        else { _exit(Failure.Kind.usage.exitCode) }
        DispatchQueue(label: "input").async {
            while readLine() != nil {}
            _exit(0)
        }
        Task {
            await Portal.grant(wish) { answer in
                if let bytes = try? JSONEncoder().encode(answer) { _ = write(all: bytes, to: STDOUT_FILENO) }
                // The end of the output is the end of the answer.
                close(STDOUT_FILENO)
            }
            _exit(0)
        }
        dispatchMain()
    }

    private static func write(all bytes: Data, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // At most the count of the bytes is read, during the call.
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
