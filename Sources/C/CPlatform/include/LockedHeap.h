#pragma once

// The memory that OpenSSL works in: locked into RAM, left out of dumps, wiped when it is given back.

#include <stddef.h>
#include <stdint.h>

/// Memory functions for CRYPTO_set_mem_functions. Blocks of up to 16 KiB, which is all that ever holds a key or what is made of
/// one, are locked as long as the limit allows; beyond it they serve unlocked, and the state tells. Larger blocks are malloc's,
/// and wiped up to 64 KiB: only scrypt has such, and clears them itself.
void *countersign_malloc(size_t count, const char *file, int line);
void *countersign_realloc(void *block, size_t count, const char *file, int line);
void countersign_free(void *block, const char *file, int line);

/// The pages that were taken so far: `count` bytes from `start` on, of which the kernel agreed to lock `locked`. `used` is what
/// blocks that are in use have of them.
struct countersign_locked_heap {
    const void *start;
    size_t count, locked, used;
};
struct countersign_locked_heap countersign_locked_heap_state(void);

/// How many bytes of it may be locked: three quarters of RLIMIT_MEMLOCK.
size_t countersign_locked_heap_limit(void);
