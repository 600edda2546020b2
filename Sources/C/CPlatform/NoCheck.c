#if DEBUG
// In debug builds ArgumentParser checks the declaration of every command at each start, which takes longer than all else. So the
// linker calls this function in its place (--wrap, Package.swift). Tests turn the check on with COUNTERSIGN_CHECK_ARGUMENTS, which
// reports each check on standard error.
#include <stdlib.h>
#include <unistd.h>

// ParsableArguments._validate(parent: InputKey?) throws, static: three words of the key, the type, its conformance, the type again.
#define VALIDATE(prefix) prefix##$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ
#define ARGUMENTS                                                                                                      \
    void *name, void *more, void *path, void *type, void *conformance, __attribute__((swift_context)) void *self,      \
        __attribute__((swift_error_result)) void **error

// Weak: only the program itself is linked with --wrap.
__attribute__((swiftcall, weak)) void VALIDATE(__real_)(ARGUMENTS);

__attribute__((swiftcall)) void VALIDATE(__wrap_)(ARGUMENTS) {
    if (!getenv("COUNTERSIGN_CHECK_ARGUMENTS")) return;
    VALIDATE(__real_)(name, more, path, type, conformance, self, error);
    (void)!write(STDERR_FILENO, "checked\n", 8);
}
#endif
