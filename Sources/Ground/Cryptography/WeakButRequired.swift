import Basics
internal import COpenSSL

/// Weak cryptography that the protocols of the banks demand and that we would not choose.
///
/// RSAES-PKCS1-v1_5 (RFC 8017 section 7.2): an attacker who can ask many times whether a block is well padded can
/// decrypt it (Bleichenbacher). Nothing about a failed decryption ever goes to a bank, so nobody can ask. OAEP would
/// replace it.
///
/// AES-256-CBC without a MAC: ciphertext can be changed so that it decrypts to something else, and padding can be
/// probed in the same way. The envelope proves nothing about who made it; the transport (TLS) has to. AES-GCM would
/// replace it.
package enum WeakButRequired {
    /// Decrypts several blocks in sequence and joins their contents, as an access token may need it (saltedge-v2
    /// section 4.4). Throws `badLength` when the bytes are not one to eight whole blocks, and `decryptionFailed`.
    package static func decryptBlocks(_ bytes: [UInt8], with key: any PrivateKey) throws -> LockedBytes {
        let size = (try RSAPublicKey(pem: key.publicKeyPEM).bits + 7) / 8
        guard !bytes.isEmpty, bytes.count.isMultiple(of: size), bytes.count / size <= 8 else {
            throw CryptoError.badLength("not whole RSA blocks")
        }
        return try LockedBytes(capacity: bytes.count) { buffer in
            var count = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                try key.decrypt(Array(bytes[start..<(start + size)])).withBytes { part in
                    // A part is shorter than its block, so all parts fit.
                    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: part)
                    count += part.count
                }
            }
            return count
        }
    }

    /// RSAES-PKCS1-v1_5 decryption of one block. Throws `badLength`, `decryptionFailed`.
    static func rsaDecrypt(_ block: [UInt8], with key: KeyHandle) throws -> LockedBytes {
        guard block.count == key.blockSize else {
            throw CryptoError.badLength("an RSA block is as long as the modulus")
        }
        return try key.withDecryptor { context in
            guard EVP_PKEY_decrypt_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
                rejectExplicitly(context)
            else { throw CryptoError.openSSL(.failed("RSA decryption cannot be started")) }
        } _: { context in
            try LockedBytes(capacity: block.count) { buffer in
                var length = buffer.count
                // The block has the modulus's length, and so has the buffer; `length` becomes the number of bytes
                // written.
                guard EVP_PKEY_decrypt(context, buffer.bytes, &length, block, block.count) == 1 else {
                    throw CryptoError.openSSL(.decryptionFailed("the RSA block does not decrypt"))
                }
                return length
            }
        }
    }

    /// Has OpenSSL report a badly padded block as an error. OpenSSL 3.2 and newer, and older ones of some
    /// distributions, return made-up bytes instead, to protect servers that report failures. This program reports
    /// failures only to its own user, who should learn that the block is broken rather than see the result of made-up
    /// bytes. Versions without this feature ignore the parameter.
    private static func rejectExplicitly(_ context: OpaquePointer) -> Bool {
        var off: UInt32 = 0
        return withUnsafeMutablePointer(to: &off) { off in
            // The parameters are read during the call only. The name is OSSL_ASYM_CIPHER_PARAM_IMPLICIT_REJECTION,
            // which older headers lack.
            "implicit-rejection".withCString { name in
                let parameters = [OSSL_PARAM_construct_uint(name, off), OSSL_PARAM_construct_end()]
                return EVP_PKEY_CTX_set_params(context, parameters) == 1
            }
        }
    }

    /// RSAES-PKCS1-v1_5 encryption to one block. Throws `badLength`.
    static func rsaEncrypt(_ bytes: UnsafeRawBufferPointer, for key: KeyHandle) throws -> [UInt8] {
        guard bytes.count <= key.blockSize - 11 else { throw CryptoError.badLength("too long for one RSA block") }
        guard let context = EVP_PKEY_CTX_new(key.pointer, nil) else {
            throw CryptoError.openSSL(.outOfMemory("no memory"))
        }
        defer { EVP_PKEY_CTX_free(context) }
        var block = [UInt8](repeating: 0, count: key.blockSize)
        var length = block.count
        // Writes at most `length` bytes.
        guard EVP_PKEY_encrypt_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_encrypt(context, &block, &length, bytes.bytes, bytes.count) == 1, length == block.count
        else { throw CryptoError.openSSL(.failed("RSA encryption failed")) }
        return block
    }

    /// AES-256-CBC with PKCS#7 padding. `data` is one or more whole blocks. Throws `badLength`, `decryptionFailed` for
    /// wrong padding.
    static func cbcDecrypt(_ data: [UInt8], key: any Secret, iv: any Secret) throws -> LockedBytes {
        guard !data.isEmpty, data.count.isMultiple(of: 16) else {
            throw CryptoError.badLength("AES-CBC takes whole blocks")
        }
        let context = try startCBC(encrypting: false, key: key, iv: iv)
        defer { EVP_CIPHER_CTX_free(context) }
        return try LockedBytes(capacity: data.count) { buffer in
            var (written, rest): (Int32, Int32) = (0, 0)
            // Update writes at most as much as it reads, and holds back one block; Final writes less than that block.
            guard EVP_DecryptUpdate(context, buffer.bytes, &written, data, Int32(data.count)) == 1,
                EVP_DecryptFinal_ex(context, buffer.bytes + Int(written), &rest) == 1
            else { throw CryptoError.openSSL(.decryptionFailed("the AES padding is wrong")) }
            return Int(written + rest)
        }
    }

    /// AES-256-CBC with PKCS#7 padding. Throws `badLength`.
    static func cbcEncrypt(_ plaintext: any Secret, key: any Secret, iv: any Secret) throws -> [UInt8] {
        guard let length = Int32(exactly: plaintext.count + 16) else {
            throw CryptoError.badLength("too long to encrypt")
        }
        let context = try startCBC(encrypting: true, key: key, iv: iv)
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: Int(length))
        var (written, rest): (Int32, Int32) = (0, 0)
        // Padding adds 1 to 16 bytes; both writes together stay within plaintext + 16.
        let done = output.withUnsafeMutableBytes { output in
            plaintext.withBytes {
                EVP_EncryptUpdate(context, output.bytes, &written, $0.bytes, Int32($0.count)) == 1
                    && EVP_EncryptFinal_ex(context, output.bytes + Int(written), &rest) == 1
            }
        }
        guard done else { throw CryptoError.openSSL(.failed("AES-CBC failed")) }
        return Array(output[..<Int(written + rest)])
    }

    /// A context that the caller frees; OpenSSL wipes it then.
    private static func startCBC(encrypting: Bool, key: any Secret, iv: any Secret) throws -> OpaquePointer {
        guard key.count == 32, iv.count == 16 else {
            throw CryptoError.badLength("AES-256-CBC takes a key of 32 bytes and an iv of 16")
        }
        guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError.openSSL(.outOfMemory("no memory")) }
        let done = key.withBytes { key in
            // 32 and 16 bytes as checked; both are copied.
            iv.withBytes { EVP_CipherInit_ex(context, EVP_aes_256_cbc(), nil, key.bytes, $0.bytes, encrypting ? 1 : 0) }
        }
        guard done == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw CryptoError.openSSL(.failed("AES-CBC cannot be started"))
        }
        return context
    }
}
