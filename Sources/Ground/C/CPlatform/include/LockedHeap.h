#pragma once

// The memory that OpenSSL works in: locked into RAM, left out of core dumps, wiped when it is freed.

#include <stddef.h>
#include <stdint.h>

/// Memory functions for CRYPTO_set_mem_functions.
///
/// Blocks of up to 16 KiB, the only ones that ever contain a key or values computed from one, are locked as long as the
/// limit allows. Beyond the limit they are unlocked, which the state shows. Larger blocks come from malloc and are
/// wiped up to 64 KiB. Only scrypt uses larger ones, and OpenSSL clears those itself.
void *countersign_malloc(size_t count, const char *file, int line);
void *countersign_realloc(void *block, size_t count, const char *file, int line);
void countersign_free(void *block, const char *file, int line);

/// The pages taken so far: `count` bytes from `start` on, of which the kernel has locked `locked`. `used` is the size
/// of all blocks that are allocated now.
struct countersign_locked_heap {
    const void *start;
    size_t count, locked, used;
};
struct countersign_locked_heap countersign_locked_heap_state(void);

/// How many bytes of these pages may be locked: three quarters of RLIMIT_MEMLOCK.
size_t countersign_locked_heap_limit(void);
