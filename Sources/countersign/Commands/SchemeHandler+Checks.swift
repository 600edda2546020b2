import Client
import Display

extension SchemeHandler {
    /// The check of `doctor`. A handler is only a convenience, so a missing or foreign one is fine; a broken one is
    /// not.
    static func check(_ scheme: String) -> DoctorPayload.Check {
        let setDefault = "xdg-mime default \(file) x-scheme-handler/\(scheme)"
        let (isOK, message, hint): (Bool, String, String?) =
            switch find(for: scheme) {
            case .own(let program): (true, "\(scheme) links are opened by \(program.line)", nil)
            case .foreign(let name):
                (
                    true, "\(scheme) links are opened by \(name.line(within: 60))",
                    "to have them opened here: \(setDefault)"
                )
            case .broken(let file, let program):
                (
                    false, "\(file) names \(program.line), which cannot be run",
                    "install again (make install), or remove that file"
                )
            case .missing(isInstalled: true):
                (true, "nothing opens \(scheme) links; only --callback scheme needs it", setDefault)
            case .missing(isInstalled: false):
                (
                    true, "nothing opens \(scheme) links; only --callback scheme needs it",
                    "make install makes this program open them"
                )
            }
        return DoctorPayload.Check(name: "scheme-handler", ok: isOK, message: message, hint: hint)
    }

    /// The check of `doctor` for links that people click on pages. It never fails: a person who clicks no such link misses nothing.
    static func check(clicked schemes: [String]) -> DoctorPayload.Check {
        let foreign = schemes.compactMap { scheme -> (scheme: String, words: String)? in
            switch find(for: scheme) {
            case .own: nil
            case .foreign(let name): (scheme, "\(scheme) (opened by \(name.line(within: 60)))")
            case .broken, .missing: (scheme, scheme)
            }
        }
        guard !foreign.isEmpty else {
            return DoctorPayload.Check(
                name: "link-handlers", ok: true,
                message: "links of \(schemes.joined(separator: ", ")) are opened here when clicked", hint: nil)
        }
        let types = foreign.map { "x-scheme-handler/" + $0.scheme }.joined(separator: " ")
        return DoctorPayload.Check(
            name: "link-handlers", ok: true,
            message: "links that are not opened here when clicked: \(foreign.map(\.words).joined(separator: ", "))",
            hint: installed() == nil
                ? "paste them, or make install makes this program open them"
                : "paste them, or have them opened here: xdg-mime default \(file) \(types)")
    }
}
