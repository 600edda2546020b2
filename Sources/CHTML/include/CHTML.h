#pragma once

#include <stddef.h>

// libxml2's HTML parser as a stream of events, with no libxml header in sight.
//
// No tree is built and nothing is loaded: no DTD, no entity file, no style, no image; errors are not printed. The text
// is taken for UTF-8, whatever a `meta` says.

// Strings are UTF-8, end in NUL, and live for the length of one call. `attributes` holds names and values in turn and ends
// in NULL, or is NULL; a value may be NULL.
typedef struct {
    void (*start)(void *context, const char *name, const char *const *attributes);
    void (*end)(void *context, const char *name);
    void (*text)(void *context, const char *bytes, size_t count);
} CHTMLHandler;

typedef enum {
    CHTML_DONE = 0,
    // Nested deeper than `depth`, or a tag with more parts than a page has: left off, because the parser's time grows with
    // the square of both.
    CHTML_TOO_COMPLEX = 1,
    // The parser gave up: out of memory, or bytes that are not UTF-8; or there is no libxml2.
    CHTML_FAILED = 2,
    // The text ends within a tag, which may have swallowed what a person should read.
    CHTML_CUT_OFF = 3,
} CHTMLResult;

// Reads `count` bytes (none of them NUL) and calls the handler for what is found, on this thread. Elements that a page
// leaves open are ended. `handler` and `bytes` are used during the call only.
CHTMLResult chtml_parse(const char *bytes, size_t count, size_t depth, const CHTMLHandler *handler, void *context);
