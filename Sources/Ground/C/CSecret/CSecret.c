#include "CSecret.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CSecretFunctions functions;
static char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fail(void) {
    const char *reason = dlerror();
    failure = strdup(reason != NULL ? reason : "libsecret cannot be loaded");
}

static void load(void) {
    // Never unloaded, since GLib does not support that. Loading libsecret also loads GLib and GIO, whose functions
    // dlsym then finds.
    void *library = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fail();
    // POSIX lets dlsym's pointer mean a function. ISO C allows no cast for that, so the pointer's bytes are copied.
#define CSECRET_FIND(name)                                              \
    {                                                                   \
        void *found = dlsym(library, #name);                            \
        if (found == NULL) return fail();                               \
        memcpy(&functions.name, &found, sizeof(found));                 \
    }
    CSECRET_FUNCTIONS(CSECRET_FIND)
#undef CSECRET_FIND
}

const char *csecret_load(void) {
    pthread_once(&once, load);
    return failure;
}

CSecretFunctions glib(void) {
    if (csecret_load() != NULL) {
        fprintf(stderr, "error: %s\nhint: apt install libsecret-1-0\n", failure);
        exit(7);
    }
    return functions;
}
