import CSecret
package import Display
import Glibc

/// The program that the desktop starts for links of a scheme, by the XDG MIME Applications specification, as GIO reads
/// it.
package enum SchemeHandler {
    /// This program, installed at this path.
    case own(DisplayText)
    /// Another program, by its displayed name.
    case foreign(DisplayText)
    /// Our desktop file exists, but the program that it names does not.
    case broken(file: String, program: DisplayText)
    /// No program; `isInstalled` says whether our desktop file exists.
    case missing(isInstalled: Bool)

    package var isOwn: Bool {
        if case .own = self { return true }
        return false
    }

    package static let file = "countersign.desktop"

    /// The scheme of a return URL.
    package static func scheme(of returnURL: String) -> String { String(returnURL.prefix { $0 != ":" }).lowercased() }

    package static func find(for scheme: String) -> SchemeHandler {
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
    package static func installed() -> (file: String, program: String)? {
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
