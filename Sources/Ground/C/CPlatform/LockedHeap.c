#define _GNU_SOURCE
#include "LockedHeap.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

// The heap is one reserved span of addresses, most of which are never used. It is divided into chunks, each for blocks
// of one size, so that a block needs no header and its size follows from its address. A freed block is wiped and goes
// to the list of its size.

enum { CHUNK = 32 * 1024, CHUNKS = 8 * 1024, LARGEST = 16 * 1024 };

static const uint16_t sizes[] = {32,   48,   64,   96,   128,  192,  256,  384,  512,
                                 768,  1024, 1536, 2048, 3072, 4096, 6144, 8192, LARGEST};
enum { KINDS = sizeof sizes / sizeof *sizes };

struct block {
    struct block *next;
};

static struct {
    pthread_mutex_t lock;
    struct block *idle;
} kinds[KINDS];

static char *base;
static uint8_t kind_of_chunk[CHUNKS];
static pthread_mutex_t growth = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_size_t chunks, locked_chunks, used;

static void reserve(void) {
    for (int kind = 0; kind < KINDS; kind++) pthread_mutex_init(&kinds[kind].lock, NULL);
    // Reserves addresses only, without memory. They are left out of core dumps.
    void *span = mmap(NULL, (size_t)CHUNK * CHUNKS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (span == MAP_FAILED) return;
    madvise(span, (size_t)CHUNK * CHUNKS, MADV_DONTDUMP);
    base = span;
}

size_t countersign_locked_heap_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
    if (limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    // The rest is left to LockedBytes (PIN, master key, tokens) and to libsecret.
    return (size_t)(limit.rlim_cur - limit.rlim_cur / 4);
}

// Adds one chunk to the list of this kind, whose lock the caller holds. Returns 0 when there is no memory left.
static int grow(int kind) {
    pthread_mutex_lock(&growth);
    size_t number = atomic_load(&chunks);
    char *chunk = base + number * CHUNK;
    if (base == NULL || number == CHUNKS || mprotect(chunk, CHUNK, PROT_READ | PROT_WRITE) != 0) {
        pthread_mutex_unlock(&growth);
        return 0;
    }
    // A chunk that may not be locked is used all the same; countersign_locked_heap_state shows it.
    if ((atomic_load(&locked_chunks) + 1) * CHUNK <= countersign_locked_heap_limit() && mlock(chunk, CHUNK) == 0)
        atomic_fetch_add(&locked_chunks, 1);
    kind_of_chunk[number] = (uint8_t)kind;
    atomic_store(&chunks, number + 1);
    pthread_mutex_unlock(&growth);
    for (size_t at = 0; at + sizes[kind] <= CHUNK; at += sizes[kind]) {
        struct block *block = (struct block *)(chunk + at);
        block->next = kinds[kind].idle;
        kinds[kind].idle = block;
    }
    return 1;
}

static int is_ours(const void *block) {
    return base != NULL && (const char *)block >= base && (const char *)block < base + (size_t)CHUNK * CHUNKS;
}

// The size of a block, which may be more than was asked for.
static size_t room(void *block) {
    if (!is_ours(block)) return malloc_usable_size(block);
    return sizes[kind_of_chunk[((char *)block - base) / CHUNK]];
}

void *countersign_malloc(size_t count, const char *file, int line) {
    (void)file, (void)line;
    pthread_once(&once, reserve);
    int kind = 0;
    while (kind < KINDS && sizes[kind] < count) kind++;
    if (kind == KINDS) return malloc(count);
    pthread_mutex_lock(&kinds[kind].lock);
    struct block *block = NULL;
    if (kinds[kind].idle != NULL || grow(kind)) {
        block = kinds[kind].idle;
        kinds[kind].idle = block->next;
    }
    pthread_mutex_unlock(&kinds[kind].lock);
    if (block == NULL) return malloc(count);
    atomic_fetch_add(&used, sizes[kind]);
    block->next = NULL;
    return block;
}

void countersign_free(void *block, const char *file, int line) {
    (void)file, (void)line;
    if (block == NULL) return;
    size_t size = room(block);
    // Only scrypt has larger blocks, and OpenSSL clears those itself.
    if (size <= 64 * 1024) explicit_bzero(block, size);
    if (!is_ours(block)) {
        free(block);
        return;
    }
    int kind = kind_of_chunk[((char *)block - base) / CHUNK];
    struct block *idle = block;
    pthread_mutex_lock(&kinds[kind].lock);
    idle->next = kinds[kind].idle;
    kinds[kind].idle = idle;
    pthread_mutex_unlock(&kinds[kind].lock);
    atomic_fetch_sub(&used, size);
}

void *countersign_realloc(void *block, size_t count, const char *file, int line) {
    // Always moves, so that no part of the old block remains unwiped.
    if (count == 0) {
        countersign_free(block, file, line);
        return NULL;
    }
    void *moved = countersign_malloc(count, file, line);
    if (moved == NULL || block == NULL) return moved;
    size_t old = room(block);
    memcpy(moved, block, old < count ? old : count);
    countersign_free(block, file, line);
    return moved;
}

struct countersign_locked_heap countersign_locked_heap_state(void) {
    size_t count = atomic_load(&chunks);
    return (struct countersign_locked_heap){
        .start = base, .count = count * CHUNK, .locked = atomic_load(&locked_chunks) * CHUNK, .used = atomic_load(&used)};
}
