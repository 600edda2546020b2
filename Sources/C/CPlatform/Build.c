#include "CPlatform.h"

// Weak, so that the linker takes the one of Share/Install/commit-object where `make release` gives it.
__attribute__((weak)) const char *countersign_build(void) { return "-dev"; }
