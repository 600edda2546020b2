package import Basics
internal import COpenSSL

/// Authenticated encryption for stored data: AES-256-GCM (NIST SP 800-38D).
///
/// Sealed bytes are a random nonce of 12 bytes, the ciphertext, and the tag of 16 bytes. The name under which they are
/// kept is the associated data (UTF-8), so bytes sealed under one name do not open under another.
package enum AEAD {
    private static let nonceSize = 12
    private static let tagSize = 16
    /// By how many bytes the sealed form is longer.
    package static let overhead = nonceSize + tagSize

    /// Seals under a key of 32 bytes. Throws `badLength` for another key.
    package static func seal(_ plaintext: UnsafeRawBufferPointer, key: any Secret, name: String) throws -> [UInt8] {
        let nonce = try RandomBytes.make(nonceSize)
        let cipher = try GCM(encrypting: true, key: key, nonce: nonce, name: name)
        // Nonce, ciphertext and tag fill the whole array: `count` says so only after all three were written.
        return try [UInt8](unsafeUninitializedCapacity: nonceSize + plaintext.count + tagSize) { buffer, count in
            _ = buffer.update(fromContentsOf: nonce)
            // Room for the ciphertext, as long as the plaintext, and then for the tag.
            let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[nonceSize...])
            try cipher.update(plaintext, into: rest)
            guard cipher.finish(), cipher.copyTag(to: rest.bytes + plaintext.count, count: tagSize) else {
                throw CryptoError.openSSL(.failed("AES-GCM failed"))
            }
            count = buffer.count
        }
    }

    /// Seals a secret under a key of 32 bytes. Throws `badLength` for another key.
    package static func seal(_ plaintext: any Secret, key: any Secret, name: String) throws -> [UInt8] {
        try plaintext.withBytes { try seal($0, key: key, name: name) }
    }

    /// The reverse of `seal`. Throws `authenticationFailed` when the bytes were changed or name or key is another one,
    /// and `badLength` for a key that does not have 32 bytes.
    package static func open(_ sealed: [UInt8], key: any Secret, name: String) throws -> LockedBytes {
        guard sealed.count >= nonceSize + tagSize else {
            throw CryptoError.authenticationFailed("sealed bytes are cut off")
        }
        let cipher = try GCM(encrypting: false, key: key, nonce: Array(sealed[..<nonceSize]), name: name)
        return try LockedBytes(count: sealed.count - nonceSize - tagSize) { buffer in
            // The array's memory is used within the closure only.
            try sealed.withUnsafeBytes { sealed in
                try cipher.update(
                    UnsafeRawBufferPointer(rebasing: sealed[nonceSize..<(sealed.count - tagSize)]), into: buffer)
            }
            guard cipher.setTag(Array(sealed.suffix(tagSize))), cipher.finish() else {
                throw CryptoError.openSSL(.authenticationFailed("sealed bytes do not open"))
            }
        }
    }
}

/// One run of AES-256-GCM over OpenSSL's cipher context, which OpenSSL wipes when it is freed.
private final class GCM {
    private let context: OpaquePointer

    init(encrypting: Bool, key: any Secret, nonce: [UInt8], name: String) throws {
        guard key.count == 32 else { throw CryptoError.badLength("an AES-256 key has 32 bytes") }
        guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError.openSSL(.outOfMemory("no memory")) }
        self.context = context  // freed in deinit
        var written: Int32 = 0
        let name = Array(name.utf8)
        // Key: 32 bytes as checked; nonce: 12, GCM's default; both are copied. Without an output the name is associated
        // data.
        guard
            key.withBytes({ EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, $0.bytes, nonce, encrypting ? 1 : 0) })
                == 1,
            name.isEmpty || EVP_CipherUpdate(context, nil, &written, name, Int32(name.count)) == 1
        else { throw CryptoError.openSSL(.failed("AES-GCM cannot be started")) }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Writes as many bytes as it reads; `output` must have room.
    func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws {
        guard let length = Int32(exactly: input.count), input.count <= output.count else {
            throw CryptoError.badLength("too long to seal")
        }
        guard length > 0 else { return }
        var written: Int32 = 0
        // GCM is a stream: `length` bytes in, `length` bytes out.
        guard EVP_CipherUpdate(context, output.bytes, &written, input.bytes, length) == 1 else {
            throw CryptoError.openSSL(.failed("AES-GCM failed"))
        }
    }

    /// Ends the run; false when the tag that was set is wrong.
    func finish() -> Bool {
        var nothing = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        // GCM writes nothing here, but OpenSSL asks for room for a block.
        return EVP_CipherFinal_ex(context, &nothing, &written) == 1
    }

    func copyTag(to output: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
        // The caller has room for `count` bytes.
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(count), output) == 1
    }

    func setTag(_ tag: [UInt8]) -> Bool {
        var tag = tag
        // Copies the tag.
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    }
}
