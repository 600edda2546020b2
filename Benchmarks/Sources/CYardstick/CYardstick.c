#define _GNU_SOURCE
#include "CYardstick.h"

#include <dlfcn.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { largest_block = 1024, largest_payload = 4096 };

void *yardstick_key(const uint8_t *der, size_t length) {
    return d2i_AutoPrivateKey(NULL, &der, (long)length);
}

int yardstick_decrypt(void *key, const uint8_t *first, const uint8_t *second, size_t length, int times) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    uint8_t plain[largest_block];
    int ok = context != NULL && EVP_PKEY_decrypt_init(context) == 1 &&
             EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1;
    for (int i = 0; ok && i < times; i++) {
        size_t count = sizeof plain;
        ok = EVP_PKEY_decrypt(context, plain, &count, first, length) == 1;
        count = sizeof plain;
        ok = ok && EVP_PKEY_decrypt(context, plain, &count, second, length) == 1;
    }
    EVP_PKEY_CTX_free(context);
    return ok;
}

static EVP_PKEY_CTX *signer(void *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    if (context != NULL && EVP_PKEY_sign_init(context) == 1 &&
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 &&
        EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1)
        return context;
    EVP_PKEY_CTX_free(context);
    return NULL;
}

int yardstick_sign(void *key, const uint8_t digest[32], int times) {
    EVP_PKEY_CTX *context = signer(key);
    uint8_t signature[largest_block];
    int ok = context != NULL;
    for (int i = 0; ok && i < times; i++) {
        size_t count = sizeof signature;
        ok = EVP_PKEY_sign(context, signature, &count, digest, 32) == 1;
    }
    EVP_PKEY_CTX_free(context);
    return ok;
}

int yardstick_confirm(
    void *key, const uint8_t *payload, size_t payload_length, const uint8_t *message, size_t message_length, int times) {
    EVP_PKEY_CTX *sign = signer(key);
    EVP_PKEY_CTX *encrypt = EVP_PKEY_CTX_new(key, NULL);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    uint8_t secret[48], block[largest_block], sealed[largest_payload + 16], digest[32];
    int ok = sign != NULL && encrypt != NULL && cipher != NULL && payload_length <= largest_payload &&
             EVP_PKEY_encrypt_init(encrypt) == 1 && EVP_PKEY_CTX_set_rsa_padding(encrypt, RSA_PKCS1_PADDING) == 1;
    for (int i = 0; ok && i < times; i++) {
        int written = 0;
        size_t count = sizeof block;
        ok = RAND_bytes(secret, sizeof secret) == 1 && EVP_PKEY_encrypt(encrypt, block, &count, secret, 32) == 1;
        count = sizeof block;
        ok = ok && EVP_PKEY_encrypt(encrypt, block, &count, secret + 32, 16) == 1 &&
             EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), NULL, secret, secret + 32) == 1 &&
             EVP_EncryptUpdate(cipher, sealed, &written, payload, (int)payload_length) == 1 &&
             EVP_EncryptFinal_ex(cipher, sealed + written, &written) == 1 &&
             SHA256(message, message_length, digest) != NULL;
        count = sizeof block;
        ok = ok && EVP_PKEY_sign(sign, block, &count, digest, 32) == 1;
    }
    EVP_CIPHER_CTX_free(cipher);
    EVP_PKEY_CTX_free(encrypt);
    EVP_PKEY_CTX_free(sign);
    return ok;
}

int yardstick_hmac(const uint8_t *key, size_t key_length, const uint8_t *message, size_t length, int times) {
    uint8_t mac[EVP_MAX_MD_SIZE];
    unsigned int count = 0;
    int ok = 1;
    for (int i = 0; ok && i < times; i++)
        ok = HMAC(EVP_sha1(), key, (int)key_length, message, length, mac, &count) != NULL;
    return ok;
}

int yardstick_scrypt(const char *pin, size_t pin_length, const uint8_t *salt, size_t salt_length, uint64_t n, uint64_t r,
                     uint64_t p) {
    uint8_t key[32];
    return EVP_PBE_scrypt(pin, pin_length, salt, salt_length, n, r, p, (uint64_t)1 << 30, key, sizeof key);
}

void *yardstick_table(const char *path) {
    sqlite3 *database = NULL;
    if (sqlite3_open(path, &database) == SQLITE_OK &&
        sqlite3_exec(database,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
                     "CREATE TABLE row (id INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;"
                     "INSERT INTO row VALUES (1, randomblob(4096));",
                     NULL, NULL, NULL) == SQLITE_OK)
        return database;
    sqlite3_close(database);
    return NULL;
}

int yardstick_commits(void *table, int times) {
    sqlite3_stmt *update = NULL;
    int ok = sqlite3_prepare_v2(table, "UPDATE row SET content = ?1 WHERE id = 1", -1, &update, NULL) == SQLITE_OK;
    uint8_t content[4096] = {0};
    for (int i = 0; ok && i < times; i++) {
        content[0]++;
        ok = sqlite3_bind_blob(update, 1, content, sizeof content, SQLITE_STATIC) == SQLITE_OK &&
             sqlite3_step(update) == SQLITE_DONE && sqlite3_reset(update) == SQLITE_OK;
    }
    sqlite3_finalize(update);
    return ok;
}

static atomic_long wait_for_disk;

void yardstick_disk(long microseconds) { wait_for_disk = microseconds; }

// In place of libc's, for SQLite as well.
int fdatasync(int fd) {
    int (*libc)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    long microseconds = wait_for_disk;
    struct timespec pause = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    if (microseconds > 0) nanosleep(&pause, NULL);
    return libc(fd);
}
