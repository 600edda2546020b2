#pragma once

/// From now on whatever this process frees is wiped first. Texts of a bank go through strings and buffers of many libraries,
/// none of which does so by itself. Does nothing where a sanitizer has the allocator, or where the C library is not glibc.
void countersign_wipe_freed_memory(void);
