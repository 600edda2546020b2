#define _GNU_SOURCE
#include "include/FreedMemory.h"

#include <features.h>
#include <malloc.h>
#include <stdatomic.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

// An executable's own `free` and `realloc` take the place of the C library's for all that it loads (glibc's manual, "Replacing
// malloc"). These hand on to the very functions that they replace, so blocks of either are blocks of both.
extern void __libc_free(void *block);
extern void *__libc_realloc(void *block, size_t count);

static atomic_bool wipes;

void countersign_wipe_freed_memory(void) { atomic_store_explicit(&wipes, 1, memory_order_relaxed); }

void free(void *block) {
    // The whole of what malloc gave, which may be more than was asked for; it is the caller's until the next line.
    if (block != NULL && atomic_load_explicit(&wipes, memory_order_relaxed))
        explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

void *realloc(void *block, size_t count) {
    if (block == NULL || count == 0 || !atomic_load_explicit(&wipes, memory_order_relaxed))
        return __libc_realloc(block, count);
    size_t room = malloc_usable_size(block);
    // In place where little would be won by moving.
    if (count <= room && count >= room / 2) {
        explicit_bzero((char *)block + count, room - count);
        return block;
    }
    void *moved = malloc(count);
    if (moved == NULL) return NULL;
    // Both are at least as large as the smaller one.
    memcpy(moved, block, count < room ? count : room);
    free(block);
    return moved;
}

#else

void countersign_wipe_freed_memory(void) {}

#endif
