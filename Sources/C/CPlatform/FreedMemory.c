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

// `free` and `realloc` of an executable replace those of the C library for all libraries that it loads (glibc's manual,
// "Replacing malloc"). These call the functions that they replace, so it does not matter which of them allocated a
// block.
extern void __libc_free(void *block);
extern void *__libc_realloc(void *block, size_t count);

static atomic_bool wipes;

void countersign_wipe_freed_memory(void) { atomic_store_explicit(&wipes, 1, memory_order_relaxed); }

void free(void *block) {
    // Wipes the whole block, which may be larger than what was asked for. The block is the caller's until the next
    // line.
    if (block != NULL && atomic_load_explicit(&wipes, memory_order_relaxed))
        explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

void *realloc(void *block, size_t count) {
    if (block == NULL || count == 0 || !atomic_load_explicit(&wipes, memory_order_relaxed))
        return __libc_realloc(block, count);
    size_t room = malloc_usable_size(block);
    // Stays in place when moving would save less than half.
    if (count <= room && count >= room / 2) {
        explicit_bzero((char *)block + count, room - count);
        return block;
    }
    void *moved = malloc(count);
    if (moved == NULL) return NULL;
    // Copies as many bytes as the smaller of the two blocks has.
    memcpy(moved, block, count < room ? count : room);
    free(block);
    return moved;
}

#else

void countersign_wipe_freed_memory(void) {}

#endif
