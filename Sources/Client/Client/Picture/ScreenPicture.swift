import Basics
import Desktop
import Display

/// A picture of the screen, taken through the desktop's portal, which asks the person first.
package enum ScreenPicture {
    /// Returns the path of the picture's file, which the caller must delete. Throws `Failure`, of the kind `cancelled` when the person
    /// refused.
    package static func take() async throws -> String {
        switch try await blocking({ PortalProcess.ask(.picture, patience: .seconds(650)) }) {
        case .picture(let path): return path
        case .cancelled: throw Failure.cancelled
        case .failed(let fault): throw failure(fault)
        case .opened, .pending: throw failure(.failed)
        }
    }

    private static func failure(_ fault: PortalFault) -> Failure {
        let other = "take the picture with another program, and give its file to --image"
        let backends = "xdg-desktop-portal-gnome, -kde, -wlr, …"
        return switch fault {
        case .absent:
            Failure(
                .internal, "this desktop has no portal, which would take the picture",
                hint: "\(other); or: apt install xdg-desktop-portal, and the portal of your desktop (\(backends))")
        case .noBackend:
            Failure(
                .internal, "the desktop's portal takes no pictures of the screen here",
                hint: "\(other); or install the portal of your desktop (\(backends))")
        case .silent: Failure(.internal, "the desktop's portal did not answer", hint: other)
        case .refused(let words):
            Failure(
                .internal, "the desktop's portal refused: \(DisplayText(words).line(within: 200))", hint: other)
        case .failed:
            Failure(
                .internal, "the desktop's portal could not take a picture",
                hint: "\(other); the reason may be in: journalctl --user -u 'xdg-desktop-portal*'")
        }
    }
}
