internal import COpenSSL

/// The certificate of an authority, so that a person can see whose it is. Nothing is verified with it.
package struct Certificate: Sendable, Equatable {
    /// The subject, for example `/O=Fern/CN=Fern authority`, with escapes for all characters outside ASCII.
    package let subject: String
    /// The SHA-256 of the certificate: 32 bytes.
    package let digest: [UInt8]

    /// Nil if the text is not one certificate in PEM form.
    package init?(pem: String) {
        guard let parsed = PEM(pem), parsed.label == "CERTIFICATE" else { return nil }
        let subject = parsed.der.withUnsafeBytes { bytes -> String? in
            // Reads at most `count` bytes and moves `position` behind the last one read.
            var position: UnsafePointer<UInt8>? = bytes.bytes
            guard let certificate = d2i_X509(nil, &position, bytes.count) else {
                ERR_clear_error()
                return nil
            }
            defer { X509_free(certificate) }
            var text = [CChar](repeating: 0, count: 256)
            // The name belongs to the certificate. Writes at most `count` bytes, with the zero that ends them.
            guard X509_NAME_oneline(X509_get_subject_name(certificate), &text, Int32(text.count)) != nil else {
                return nil
            }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        guard let subject else { return nil }
        self.subject = subject
        digest = Digest.sha256(parsed.der)
    }
}
