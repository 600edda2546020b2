#include "CPlatform.h"

// Weak: `make release` links another one, made by Share/Install/commit-object, and the linker prefers that.
__attribute__((weak)) const char *countersign_build(void) { return "-dev"; }
