import Basics
import Glibc

extension Settings {
    /// The file of `ca_file`; nil if the settings name none. Its owner can intercept the calls to every bank, so it
    /// must belong to this user or root, and nobody else may write to it. Throws a usage failure that names the
    /// settings.
    func checkedAuthorities() throws -> String? {
        guard let caFile else { return nil }
        var status = stat()
        guard stat(caFile, &status) == 0 else {
            throw Self.authoritiesFailure("the file cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Self.authoritiesFailure("it is not a regular file") }
        guard status.st_uid == getuid() || status.st_uid == 0 else {
            throw Self.authoritiesFailure("the file belongs to somebody else")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw Self.authoritiesFailure("others can write the file", hint: "chmod go-w FILE")
        }
        return caFile
    }

    /// The failure for the file of `ca_file`, with the path of the settings.
    static func authoritiesFailure(_ reason: String, hint: String? = nil) -> Failure {
        .usage(
            "\(path()): ca_file: \(reason)", hint: hint ?? "mend the setting, or override it with --ca-file"
        )
    }
}
