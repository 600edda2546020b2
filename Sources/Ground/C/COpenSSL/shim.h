#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

/// SHA-256 of `bytes` into `digest`, which has room for 32 bytes. Uses SHA256_Init, SHA256_Update and SHA256_Final: SHA256() would
/// initialize OpenSSL and ask its providers. That takes about a millisecond, longer than all else a short command does, and a
/// digest that only makes a file name needs no provider.
static inline void countersign_plain_sha256(const void *bytes, size_t count, unsigned char *digest) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, count);
    SHA256_Final(digest, &context);
#pragma clang diagnostic pop
}
