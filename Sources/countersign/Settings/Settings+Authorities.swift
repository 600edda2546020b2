import Basics
import Glibc

extension Settings {
    /// The file of `ca_file`; nil where the settings name none. Who can change it can stand between us and every bank, so it must
    /// be this user's or root's, and nobody else may write it. Throws a usage failure that names the settings.
    func checkedAuthorities() throws -> String? {
        guard let caFile else { return nil }
        var status = stat()
        guard stat(caFile, &status) == 0 else {
            throw Self.authoritiesFailure("the file cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Self.authoritiesFailure("it is no ordinary file") }
        guard status.st_uid == getuid() || status.st_uid == 0 else {
            throw Self.authoritiesFailure("the file belongs to somebody else")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw Self.authoritiesFailure("others can write the file", hint: "chmod go-w FILE")
        }
        return caFile
    }

    /// What is wrong with the file of `ca_file`, under the name of the settings.
    static func authoritiesFailure(_ reason: String, hint: String? = nil) -> Failure {
        .usage(
            "\(path()): ca_file: \(reason)", hint: hint ?? "mend the setting, or override it with --ca-file"
        )
    }
}
