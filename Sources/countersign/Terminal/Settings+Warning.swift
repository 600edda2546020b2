import Authenticator
import Basics

extension Settings {
    /// For a command that must do its work whatever the file says: where that is faulty the defaults, and a warning.
    static func loadOrWarn() -> Settings {
        do {
            return try load()
        } catch {
            Terminal.say("warning: \(Failure(error).message)")
            return Settings()
        }
    }
}
