import Basics
import SCACrypto
import Sessions

extension ClientRegistration {
    /// Adds what tells the client to a form (RFC 6749 section 2.3.1), and returns the headers for it.
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
    /// As a secret. Throws what locking the memory throws.
    func locked() throws -> LockedBytes {
        var bytes = Array(utf8)
        return try LockedBytes(wiping: &bytes)
    }
}
