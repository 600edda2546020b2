#pragma once

// What the figures are held against: the own operations of OpenSSL and SQLite in bare loops, contexts made once, nothing copied,
// nothing wiped. Each loop runs `times` times and returns 1, or 0 when an operation failed.

#include <stddef.h>
#include <stdint.h>

/// A private key from PKCS#8 DER, for the loops below; NULL when it is none. It lives as long as the process.
void *yardstick_key(const uint8_t *der, size_t length);

/// EVP_PKEY_decrypt, RSAES-PKCS1-v1_5: two blocks each time, as opening one envelope needs.
int yardstick_decrypt(void *key, const uint8_t *first, const uint8_t *second, size_t length, int times);

/// EVP_PKEY_sign, RSASSA-PKCS1-v1_5, over a SHA-256 digest that is there already.
int yardstick_sign(void *key, const uint8_t digest[32], int times);

/// One v2 decision: a random AES key and iv, EVP_PKEY_encrypt of both, AES-256-CBC of the payload, SHA-256 of the
/// message, EVP_PKEY_sign.
int yardstick_confirm(
    void *key, const uint8_t *payload, size_t payload_length, const uint8_t *message, size_t message_length, int times);

/// HMAC-SHA-1 of a message that is there already.
int yardstick_hmac(const uint8_t *key, size_t key_length, const uint8_t *message, size_t length, int times);

/// EVP_PBE_scrypt to 32 bytes.
int yardstick_scrypt(const char *pin, size_t pin_length, const uint8_t *salt, size_t salt_length, uint64_t n, uint64_t r,
                     uint64_t p);

/// A new database with one row of 4 KiB, whose commits are on disk when they return, as the ledger's are; NULL when there can be none.
/// It lives as long as the process.
void *yardstick_table(const char *path);

/// Writes that row anew, in a transaction of its own each time.
int yardstick_commits(void *table, int times);

/// From now on each commit of SQLite in this process takes so much longer, as on a disk that is slower by that.
void yardstick_disk(long microseconds);
