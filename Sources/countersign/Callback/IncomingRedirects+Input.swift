import Basics
import Dispatch
import ApprovalModel
import Web

extension IncomingRedirects {
    /// Reads addresses from the lines of standard input. Reports lines that are no redirect of the page of `who`, as `isRedirect` judges,
    /// without repeating them. `endsWait`: whether the end of the input ends the wait. `onEnd`: called at the end of the input.
    func readStandardInput(
        of who: String, endsWait: Bool, onEnd: @escaping @Sendable () -> Void = {},
        isRedirect: @escaping @Sendable (String) -> Bool
    ) {
        // Reading blocks, so it has its own thread, which ends with the process.
        DispatchQueue(label: "redirects").async {
            while let line = StandardInput.line() {
                guard !line.isEmpty else { continue }
                var address = line
                switch Self.mended(line) {
                case .success(let mended): address = mended
                // A page may send any text, and some browsers show it without escapes.
                case .failure(let error) where error.kind == .broken && !line.contains(" " as Character):
                    Terminal.say("\(error.reason); copy the address anew")
                    continue
                case .failure: break
                }
                guard isRedirect(address) else {
                    Terminal.say("that is not the address that \(who)'s page led to")
                    continue
                }
                _ = offer(IncomingRedirect(address: address) { _ in })
            }
            onEnd()
            if endsWait { finish() }
        }
    }
    /// The address without the characters that copying added to it.
    private static func mended(_ line: String) -> Result<String, LinkError> {
        do { return .success(String(try LinkText(line).text)) } catch { return .failure(error) }
    }
}
