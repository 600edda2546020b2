import CSecret

/// Why a call over D-Bus brought no reply.
enum BusError: Error, Equatable {
    /// There is no bus, or it went away.
    case noBus
    /// Nothing owns the name, or its owner left before it answered.
    case noService
    /// It did not answer in time.
    case noAnswer
    /// It answered with an error, or could not be started; the error's name on the bus, if it has one, and its words.
    case refused(name: String, words: String)
}

extension BusError {
    /// Takes over the GError of a failed call; nil when none was set.
    init(owning error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self = .noBus
            return
        }
        // A GError that was set belongs to the caller, who frees it once.
        defer { glib().g_error_free(error) }
        let code = error.pointee.code
        if error.pointee.domain == glib().g_dbus_error_quark() {
            let isMissing = Self.missing.contains(code)
            self = isMissing ? .noService : Self.late.contains(code) ? .noAnswer : Self.refusal(error)
        } else if error.pointee.domain == glib().g_io_error_quark() {
            let isLate = code == Int32(bitPattern: G_IO_ERROR_TIMED_OUT.rawValue)
            // GIO uses this code for D-Bus error names that it does not know.
            let isAnswer = code == Int32(bitPattern: G_IO_ERROR_DBUS_ERROR.rawValue)
            self = isLate ? .noAnswer : isAnswer ? Self.refusal(error) : .noBus
        } else {
            self = Self.refusal(error)
        }
    }

    private static func refusal(_ error: UnsafeMutablePointer<GError>) -> BusError {
        // The name is ours to free; the message belongs to the error, which stands for the whole call. Both are copied.
        let name = glib().g_dbus_error_get_remote_error(error)
        defer { glib().g_free(name) }
        _ = glib().g_dbus_error_strip_remote_error(error)
        return .refused(
            name: name.map { String(cString: $0) } ?? "", words: error.pointee.message.map { String(cString: $0) } ?? ""
        )
    }

    private static let missing = codes(
        G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_DISCONNECTED)
    private static let late = codes(G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT)

    private static func codes(_ errors: GDBusError...) -> Set<Int32> {
        Set(errors.map { Int32(bitPattern: $0.rawValue) })
    }
}
