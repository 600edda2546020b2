#include "CHTML.h"

#include <libxml/xmlversion.h>
// Debian's build claims ICU, whose headers are not wanted and not needed.
#undef LIBXML_ICU_ENABLED

#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <string.h>

// Loaded when the first page is read: with the libraries that it needs, ICU among them, it costs a start more than the whole
// program. Its structures are those of the headers, so it is the library that belongs to them.
#if LIBXML_VERSION >= 21400
#define LIBRARY "libxml2.so.16"
#else
#define LIBRARY "libxml2.so.2"
#endif

#define FUNCTIONS(F) \
    F(htmlCtxtReadIO) F(htmlFreeParserCtxt) F(htmlNewParserCtxt) F(xmlFreeDoc) F(xmlInitParser) F(xmlStopParser)

static struct {
#define FIELD(name) __typeof__(name) *name;
    FUNCTIONS(FIELD)
#undef FIELD
} libxml;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    // POSIX has dlsym's pointer stand for a function, which ISO C cannot say but by a copy.
#define FIND(name)                                     \
    {                                                  \
        void *found = dlsym(library, #name);           \
        if (found == NULL) return;                     \
        memcpy(&libxml.name, &found, sizeof(found));   \
    }
    FUNCTIONS(FIND)
#undef FIND
    libxml.xmlInitParser();
    is_loaded = 1;
}

// Separators within what may become one tag or comment: bounds the parser's quadratic search for doubled attributes.
#define MOST_SEPARATORS 8192

typedef struct {
    const char *rest;
    size_t count;
    size_t depth;
    size_t depth_limit;
    // Separators handed to the parser since its last event.
    size_t separators;
    int too_complex;
    int cut_off;
    const CHTMLHandler *handler;
    void *context;
    htmlParserCtxtPtr parser;
} State;

static void give_up(State *state) {
    state->too_complex = 1;
    libxml.xmlStopParser(state->parser);
}

static void on_start(void *data, const xmlChar *name, const xmlChar **attributes) {
    State *state = data;
    if (state->too_complex) return;
    state->separators = 0;
    // The parser stands behind the attributes here: at the end of the text the tag was never closed, and what follows in
    // the page was taken for a part of it.
    if (attributes != NULL && *state->parser->input->cur == 0) state->cut_off = 1;
    state->depth += 1;
    if (state->depth > state->depth_limit) {
        give_up(state);
        return;
    }
    state->handler->start(state->context, (const char *)name, (const char *const *)attributes);
}

static void on_end(void *data, const xmlChar *name) {
    State *state = data;
    if (state->too_complex) return;
    state->separators = 0;
    if (state->depth > 0) state->depth -= 1;
    state->handler->end(state->context, (const char *)name);
}

static void on_text(void *data, const xmlChar *bytes, int count) {
    State *state = data;
    if (state->too_complex || count <= 0) return;
    state->separators = 0;
    state->handler->text(state->context, (const char *)bytes, (size_t)count);
}

static int is_separator(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '/' || byte == '=' || byte == '"' || byte == '\'';
}

// Hands out the text piece by piece, so that a tag without end is noticed before the parser has worked on all of it.
static int read_piece(void *data, char *buffer, int length) {
    State *state = data;
    if (state->too_complex || length <= 0) return 0;
    size_t count = (size_t)length < state->count ? (size_t)length : state->count;
    for (size_t index = 0; index < count; index += 1) {
        if (is_separator(state->rest[index])) state->separators += 1;
    }
    if (state->separators > MOST_SEPARATORS) {
        state->too_complex = 1;
        return 0;
    }
    memcpy(buffer, state->rest, count);
    state->rest += count;
    state->count -= count;
    return (int)count;
}

static int close_pieces(void *data) {
    (void)data;
    return 0;
}

CHTMLResult chtml_parse(const char *bytes, size_t count, size_t depth, const CHTMLHandler *handler, void *context) {
    if (count == 0) return CHTML_DONE;
    pthread_once(&once, load);
    if (!is_loaded) return CHTML_FAILED;
    State state = {.rest = bytes, .count = count, .depth_limit = depth, .handler = handler, .context = context};
    state.parser = libxml.htmlNewParserCtxt();
    if (state.parser == NULL) return CHTML_FAILED;

    // All other events are left out: without startDocument there is no tree. The handler's memory is the context's own.
    memset(state.parser->sax, 0, sizeof(*state.parser->sax));
    state.parser->sax->startElement = on_start;
    state.parser->sax->endElement = on_end;
    state.parser->sax->characters = on_text;
    state.parser->sax->ignorableWhitespace = on_text;
    state.parser->sax->cdataBlock = on_text;
    state.parser->userData = &state;

    // The document is NULL, since no tree is built; freed all the same should that ever change.
    xmlDocPtr document = libxml.htmlCtxtReadIO(
        state.parser, read_piece, close_pieces, &state, NULL, "UTF-8",
        HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD
            | HTML_PARSE_IGNORE_ENC);
    if (document != NULL) libxml.xmlFreeDoc(document);
    libxml.htmlFreeParserCtxt(state.parser);
    if (state.too_complex) return CHTML_TOO_COMPLEX;
    if (state.cut_off) return CHTML_CUT_OFF;
    return state.count == 0 ? CHTML_DONE : CHTML_FAILED;
}
