import Basics
import CTerminal
import Client
import Display

extension Terminal {
    /// Opens the page, for a program that goes on once the browser has come for it. If none came, prints the address
    /// and calls `tell`. Ctrl-c ends only the wait, as does `isEnough`.
    static func visit(
        _ page: PageAddress, unless isEnough: @escaping () -> Bool = { false },
        tell: (PageAddress) async -> Void = { _ in }
    ) async {
        let wasInterrupted = countersign_interrupted() != 0
        countersign_interrupts_hold(1)
        defer {
            countersign_interrupts_hold(0)
            if !wasInterrupted { countersign_interrupts_forget() }
        }
        say("Opening your browser (ctrl-c ends the wait for it) …")
        if await LedBrowser.visit(page, unless: { countersign_interrupted() != 0 || isEnough() }) || isEnough() {
            return
        }
        say("warning: no browser came for the page; you can open it yourself:")
        say(address: DisplayText(page.text).line)
        await tell(page)
    }
}
