#pragma once

/// From now on, memory that this process frees is wiped first. Texts of a bank pass through strings and buffers of many
/// libraries, none of which wipes them. Does nothing with a sanitizer, which replaces the allocator, or with another C
/// library than glibc.
void countersign_wipe_freed_memory(void);
