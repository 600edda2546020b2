import Basics
import CPlatform
import Dispatch
import Glibc
import Synchronization
package import Web

/// Opens a web page for the person: through the desktop's portal, or with `xdg-open` if that did not open it. Both get an address that
/// leads to the page, since every user of the computer can read the arguments of `xdg-open`, and of the browser that a portal starts.
package enum Browser {
    /// Returns whether the page was handed over. Blocks up to 18 seconds.
    ///
    /// - Parameter mayStart: whether xdg-open may be started. A program that a serving process starts ends with that process and
    ///   shares its limits, so one is started only in a desktop session.
    package static func open(_ lead: PageLead, mayStart: Bool = true) -> Bool {
        switch PortalProcess.ask(.page(lead.address.text), patience: .seconds(15)) {
        case .opened, .pending: true
        // The person saw that browser's name, and did not want it.
        case .cancelled: false
        case .failed, .picture: mayStart && xdgOpen(lead.address.text)
        }
    }

    private static func xdgOpen(_ address: String) -> Bool {
        guard
            Environment.value("DISPLAY") != nil || Environment.value("WAYLAND_DISPLAY") != nil
                || Environment.value("BROWSER") != nil
        else { return false }
        var pid = pid_t()
        let fault = ArgumentVector.with(["xdg-open", address]) {
            countersign_spawn(&pid, "xdg-open", $0, environ, [-1, -1, -1], 3, 0)
        }
        guard fault == 0 else { return false }
        let ended = DispatchSemaphore(value: 0)
        let status = Mutex<Int32>(0)
        // Reaps the program, which would otherwise stay a zombie as long as this process runs.
        DispatchQueue(label: "xdg-open").async { [pid] in
            var end: Int32 = 0
            while waitpid(pid, &end, 0) < 0, errno == EINTR {}
            status.withLock { $0 = end }
            ended.signal()
        }
        // It may be the browser itself, and run as long as that.
        guard ended.wait(timeout: .now() + longestFailure) == .success else { return true }
        return status.withLock { $0 } == 0
    }

    /// How long xdg-open may take to find that nothing opens the page.
    private static let longestFailure = DispatchTimeInterval.seconds(3)
}
