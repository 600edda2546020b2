#define _GNU_SOURCE
#include "include/FreedMemory.h"

#include <dlfcn.h>
#include <features.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

// `free` and `realloc` of an executable replace those of all libraries that it loads (glibc's manual, "Replacing malloc"). These
// call the ones that they replace: those of the C library, or of an allocator that was preloaded.
extern void __libc_free(void *block);
extern void *__libc_realloc(void *block, size_t count);

typedef void (*free_function)(void *);
typedef void *(*realloc_function)(void *, size_t);
static _Atomic(free_function) next_free;
static _Atomic(realloc_function) next_realloc;
static _Thread_local bool finds;
static atomic_bool wipes;

// Looked up at the first call, since libraries that start before this program free memory, too. Memory that the lookup itself
// frees belongs to the C library.
static void *next(const char *name, void *of_library) {
    if (finds) return of_library;
    finds = true;
    void *found = dlsym(RTLD_NEXT, name);
    finds = false;
    return found != NULL ? found : of_library;
}

static void free_by_next(void *block) {
    free_function function = atomic_load_explicit(&next_free, memory_order_relaxed);
    if (function == NULL) {
        function = (free_function)next("free", (void *)__libc_free);
        if (!finds) atomic_store_explicit(&next_free, function, memory_order_relaxed);
    }
    function(block);
}

static void *realloc_by_next(void *block, size_t count) {
    realloc_function function = atomic_load_explicit(&next_realloc, memory_order_relaxed);
    if (function == NULL) {
        function = (realloc_function)next("realloc", (void *)__libc_realloc);
        if (!finds) atomic_store_explicit(&next_realloc, function, memory_order_relaxed);
    }
    return function(block, count);
}

void countersign_wipe_freed_memory(void) { atomic_store_explicit(&wipes, 1, memory_order_relaxed); }

void free(void *block) {
    // Wipes the whole block, which may be larger than the requested size. The block is the caller's until the next
    // line.
    if (block != NULL && atomic_load_explicit(&wipes, memory_order_relaxed))
        explicit_bzero(block, malloc_usable_size(block));
    free_by_next(block);
}

void *realloc(void *block, size_t count) {
    if (block == NULL || count == 0 || !atomic_load_explicit(&wipes, memory_order_relaxed))
        return realloc_by_next(block, count);
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
