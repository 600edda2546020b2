import Basics
import Cryptography
import SessionModel

extension ClientRegistration {
    /// Adds the client's authentication to a form (RFC 6749 section 2.3.1). Returns the headers for it.
    func authenticate(_ form: inout Form) -> [(String, String)] {
        guard authentication == .basic, let secret = secret?.secret else {
            form.add("client_id", id.untrusted)
            if authentication == .post, let secret { form.add("client_secret", secret.secret) }
            return []
        }
        let password = secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let pair = URLText.encode(id.untrusted) + ":" + URLText.encode(password)
        return [("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))]
    }
}

extension String {
    /// Copies the text into locked memory. Throws if the memory cannot be locked.
    func locked() throws -> LockedBytes {
        var bytes = Array(utf8)
        return try LockedBytes(wiping: &bytes)
    }
}
