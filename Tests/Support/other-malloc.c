/* For LD_PRELOAD: an allocator that is not the C library's, such as a hardened one that a whole system uses. Each block stands behind
   a head of its own, so the C library cannot free it, and this one ends the program when it is given a block of another. */

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

struct head {
    void *start;
    size_t size;
    uint64_t mark[2];
};
static const uint64_t mark = 0x0ac3d1f4b5e69788;

static void *give(size_t alignment, size_t size) {
    if (alignment < sizeof(struct head)) alignment = sizeof(struct head);
    if (size > PTRDIFF_MAX - alignment) return NULL;
    char *start = __libc_memalign(alignment, size + alignment);
    if (start == NULL) return NULL;
    struct head *head = (struct head *)(start + alignment) - 1;
    *head = (struct head){start, size, {mark, mark}};
    return start + alignment;
}

static struct head *head_of(void *block) {
    struct head *head = (struct head *)block - 1;
    if (head->mark[0] != mark || head->mark[1] != mark) abort();
    return head;
}

void *malloc(size_t size) { return give(0, size); }

void *calloc(size_t count, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(count, size, &all)) return NULL;
    void *block = give(0, all);
    return block == NULL ? NULL : memset(block, 0, all);
}

void free(void *block) {
    if (block == NULL) return;
    struct head *head = head_of(block);
    head->mark[0] = 0;
    __libc_free(head->start);
}

void *realloc(void *block, size_t size) {
    void *moved = give(0, size);
    if (block == NULL || moved == NULL) return moved;
    struct head *head = head_of(block);
    memcpy(moved, block, head->size < size ? head->size : size);
    free(block);
    return moved;
}

size_t malloc_usable_size(void *block) { return block == NULL ? 0 : head_of(block)->size; }
void *memalign(size_t alignment, size_t size) { return give(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return give(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = give(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}
