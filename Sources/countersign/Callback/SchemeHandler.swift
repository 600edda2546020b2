import CSecret
import Display
import Glibc

/// The program that the desktop starts for links of a scheme, by the XDG MIME Applications specification, as GIO reads
/// it.
enum SchemeHandler {
    /// This program, installed at this path.
    case own(DisplayText)
    /// Another program, by its displayed name.
    case foreign(DisplayText)
    /// Our desktop file exists, but the program that it names does not.
    case broken(file: String, program: DisplayText)
    /// No program; `isInstalled` says whether our desktop file exists.
    case missing(isInstalled: Bool)

    var isOwn: Bool {
        if case .own = self { return true }
        return false
    }

    private static let file = "countersign.desktop"

    /// The scheme of a return URL.
    static func scheme(of returnURL: String) -> String { String(returnURL.prefix { $0 != ":" }).lowercased() }

    static func find(for scheme: String) -> SchemeHandler {
        guard csecret_load() == nil else { return .missing(isInstalled: false) }
        let own = installed()
        // The returned reference is ours to release; its strings live as long as it, and are copied.
        let handler = glib().g_app_info_get_default_for_uri_scheme(scheme)
        defer { if let handler { glib().g_object_unref(UnsafeMutableRawPointer(handler)) } }
        if let own, access(own.program, X_OK) != 0 { return .broken(file: own.file, program: DisplayText(own.program)) }
        guard let handler else { return .missing(isInstalled: own != nil) }
        if let own, let id = glib().g_app_info_get_id(handler), String(cString: id) == file {
            return .own(DisplayText(own.program))
        }
        return .foreign(DisplayText(glib().g_app_info_get_name(handler).map { String(cString: $0) } ?? ""))
    }

    /// The first of our desktop files in the data directories, and the program that it names (`TryExec`).
    private static func installed() -> (file: String, program: String)? {
        // GLib keeps these strings for the whole run; the list ends with null.
        var directories = glib().g_get_user_data_dir().map { [String(cString: $0)] } ?? []
        var next = glib().g_get_system_data_dirs()
        while let list = next, let directory = list.pointee {
            directories.append(String(cString: directory))
            next = list + 1
        }
        for directory in directories {
            let path = "\(directory)/applications/\(file)"
            // The key file and the string are ours to free.
            let entry = glib().g_key_file_new()
            defer { glib().g_key_file_free(entry) }
            guard glib().g_key_file_load_from_file(entry, path, G_KEY_FILE_NONE, nil) != 0 else { continue }
            guard let program = glib().g_key_file_get_string(entry, "Desktop Entry", "TryExec", nil) else { return nil }
            defer { glib().g_free(program) }
            return (path, String(cString: program))
        }
        return nil
    }
}

extension SchemeHandler {
    /// Prints that the program waits for the desktop to hand over the next address, and a note if the desktop will not.
    static func tellOfWait(for scheme: String, takesPastedAddress: Bool) {
        if !find(for: scheme).isOwn {
            Terminal.say(
                "This desktop does not hand \(scheme) links to countersign; for the remedy see: countersign doctor")
        }
        let end = takesPastedAddress ? "(ctrl-c cancels; it may be pasted here) …" : "(ctrl-c cancels) …"
        Terminal.say("Waiting for the desktop to hand the next address over " + end)
    }

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
