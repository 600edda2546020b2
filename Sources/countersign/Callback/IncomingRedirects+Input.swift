import Basics
import Dispatch
import SCA
import Web

extension IncomingRedirects {
    /// Takes addresses from the lines of standard input; what does not begin with `returnURL`, or says nothing, is told of and
    /// never repeated. `endsWait` says whether the input's end is the end of the wait.
    func readStandardInput(for returnURL: String, _ links: LinkReaders, endsWait: Bool) {
        // Reading blocks, so it has a thread of its own, which ends with the process.
        DispatchQueue(label: "redirects").async {
            while let line = StandardInput.line() {
                guard !line.isEmpty else { continue }
                guard links.isRedirect(line, returnURL: returnURL) else {
                    Terminal.say("that is not the address that the bank's page led to")
                    continue
                }
                _ = offer(IncomingRedirect(address: line) { _ in })
            }
            if endsWait { finish() }
        }
    }
}
