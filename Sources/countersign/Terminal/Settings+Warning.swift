import Approvals
import Basics

extension Settings {
    /// For commands that must work with any settings: if the file is faulty, warns and uses the defaults.
    static func loadOrWarn() -> Settings {
        do {
            return try load()
        } catch {
            Terminal.say("warning: \(Failure(error).message)")
            return Settings()
        }
    }
}
