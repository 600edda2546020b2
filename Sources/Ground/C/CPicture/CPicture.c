#include "CPicture.h"

#include <dlfcn.h>
#include <png.h>
#include <qrencode.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <zbar.h>

// A grey picture, one byte for each pixel. `pixels` must be freed.
//
// Rows are padded to a multiple of eight pixels: zbar's pass over inverted colours copies eight bytes at a time, and would write behind
// its copy of a picture of any other size.
typedef struct {
    uint8_t *pixels;
    uint32_t width, height;
} Grey;

static uint32_t padded(uint32_t width) { return (width + 7) / 8 * 8; }

// Repeats the last pixel of each row up to the padded width, so that the padding has the colour of the margin. Returns the padded
// picture.
static Grey pad(uint8_t *pixels, uint32_t width, uint32_t height) {
    uint32_t stride = padded(width);
    for (uint8_t *row = pixels; row < pixels + (size_t)stride * height; row += stride)
        memset(row + width, row[width - 1], stride - width);
    return (Grey){pixels, stride, height};
}

typedef struct {
    uint32_t longest_side;
    uint64_t most_pixels;
} Limits;

#define PNG_FUNCTIONS(F) F(png_image_begin_read_from_memory) F(png_image_finish_read) F(png_image_free)
#define JPEG_FUNCTIONS(F) F(tjInitDecompress) F(tjDecompressHeader3) F(tjDecompress2) F(tjDestroy)
#define QR_FUNCTIONS(F) F(QRcode_encodeString) F(QRcode_free)
#define ZBAR_FUNCTIONS(F)                                                                                                \
    F(zbar_image_create) F(zbar_image_set_format) F(zbar_image_set_size) F(zbar_image_set_data) F(zbar_image_destroy)     \
    F(zbar_image_first_symbol) F(zbar_image_scanner_create) F(zbar_image_scanner_set_config) F(zbar_image_scanner_destroy) \
    F(zbar_scan_image) F(zbar_symbol_next) F(zbar_symbol_get_type) F(zbar_symbol_get_data) F(zbar_symbol_get_data_length)

#define FIELD(name) __typeof__(name) *name;
typedef struct { PNG_FUNCTIONS(FIELD) } PNGFunctions;
typedef struct { JPEG_FUNCTIONS(FIELD) } JPEGFunctions;
typedef struct { QR_FUNCTIONS(FIELD) } QRFunctions;
typedef struct { ZBAR_FUNCTIONS(FIELD) } ZBarFunctions;
#undef FIELD

// POSIX lets dlsym's pointer mean a function. ISO C allows no cast for that, so the pointer's bytes are copied.
static bool find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof(found));
    return found != NULL;
}

// Loads a library for the rest of the run.
static void *load(const char *file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL); }

static bool fits(uint32_t width, uint32_t height, Limits limits) {
    return width <= limits.longest_side && height <= limits.longest_side
        && (uint64_t)width * height <= limits.most_pixels;
}

static CPictureResult read_png(const uint8_t *bytes, size_t length, Limits limits, Grey *grey, const char **missing) {
    PNGFunctions png;
    void *library = load("libpng16.so.16");
    bool is_whole = library != NULL;
#define FIND_PNG(name) is_whole = is_whole && find(library, #name, &png.name);
    PNG_FUNCTIONS(FIND_PNG)
    if (!is_whole) {
        *missing = "libpng16-16";
        return CPICTURE_NO_LIBRARY;
    }
    png_image image;
    memset(&image, 0, sizeof(image));
    image.version = PNG_IMAGE_VERSION;
    // Reads the header. On an error it frees its memory and returns 0.
    if (png.png_image_begin_read_from_memory(&image, bytes, length) == 0) return CPICTURE_BROKEN;
    if (!fits(image.width, image.height, limits)) {
        png.png_image_free(&image);
        return CPICTURE_TOO_LARGE;
    }
    image.format = PNG_FORMAT_GRAY;
    // One component of one byte a pixel, by the format above. libpng reads no picture without pixels.
    uint8_t *pixels = malloc((size_t)padded(image.width) * image.height);
    if (pixels == NULL) {
        png.png_image_free(&image);
        return CPICTURE_NO_MEMORY;
    }
    // Transparent parts become white, as on a page.
    const png_color white = {255, 255, 255};
    if (png.png_image_finish_read(&image, &white, pixels, (png_int_32)padded(image.width), NULL) == 0) {
        free(pixels);
        return CPICTURE_BROKEN;
    }
    *grey = pad(pixels, image.width, image.height);
    return CPICTURE_READ;
}

static CPictureResult read_jpeg(const uint8_t *bytes, size_t length, Limits limits, Grey *grey, const char **missing) {
    JPEGFunctions jpeg;
    void *library = load("libturbojpeg.so.0");
    bool is_whole = library != NULL;
#define FIND_JPEG(name) is_whole = is_whole && find(library, #name, &jpeg.name);
    JPEG_FUNCTIONS(FIND_JPEG)
    if (!is_whole) {
        *missing = "libturbojpeg0";
        return CPICTURE_NO_LIBRARY;
    }
    tjhandle handle = jpeg.tjInitDecompress();
    if (handle == NULL) return CPICTURE_NO_MEMORY;
    int width = 0, height = 0, sampling = 0, colours = 0;
    CPictureResult result = CPICTURE_BROKEN;
    uint8_t *pixels = NULL;
    if (jpeg.tjDecompressHeader3(handle, bytes, length, &width, &height, &sampling, &colours) == 0) {
        if (width <= 0 || height <= 0) {
            result = CPICTURE_BROKEN;
        } else if (!fits((uint32_t)width, (uint32_t)height, limits)) {
            result = CPICTURE_TOO_LARGE;
        } else if ((pixels = malloc((size_t)padded((uint32_t)width) * (size_t)height)) == NULL) {
            result = CPICTURE_NO_MEMORY;
        } else if (
            // The flags refuse damaged pictures, and those with so many scans that decoding would take minutes.
            jpeg.tjDecompress2(
                handle, bytes, length, pixels, width, (int)padded((uint32_t)width), height, TJPF_GRAY,
                TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING) == 0) {
            *grey = pad(pixels, (uint32_t)width, (uint32_t)height);
            pixels = NULL;
            result = CPICTURE_READ;
        }
    }
    free(pixels);
    jpeg.tjDestroy(handle);
    return result;
}

static CPictureResult read_codes(Grey grey, CPictureCode found, void *context, const char **missing) {
    ZBarFunctions zbar;
    void *library = load("libzbar.so.0");
    bool is_whole = library != NULL;
#define FIND_ZBAR(name) is_whole = is_whole && find(library, #name, &zbar.name);
    ZBAR_FUNCTIONS(FIND_ZBAR)
    if (!is_whole) {
        *missing = "libzbar0";
        return CPICTURE_NO_LIBRARY;
    }
    zbar_image_scanner_t *scanner = zbar.zbar_image_scanner_create();
    zbar_image_t *image = zbar.zbar_image_create();
    CPictureResult result = CPICTURE_NO_MEMORY;
    if (scanner != NULL && image != NULL) {
        zbar.zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0);
        zbar.zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1);
        // Also finds codes that are light on a dark ground.
        zbar.zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_TEST_INVERTED, 1);
        zbar.zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
        zbar.zbar_image_set_size(image, grey.width, grey.height);
        // The pixels are freed after the image; without a function for it, the image does not free them.
        zbar.zbar_image_set_data(image, grey.pixels, (size_t)grey.width * grey.height, NULL);
        if (zbar.zbar_scan_image(scanner, image) >= 0) {
            result = CPICTURE_READ;
            for (const zbar_symbol_t *code = zbar.zbar_image_first_symbol(image); code != NULL;
                 code = zbar.zbar_symbol_next(code)) {
                if (zbar.zbar_symbol_get_type(code) != ZBAR_QRCODE) continue;
                found(context, zbar.zbar_symbol_get_data(code), zbar.zbar_symbol_get_data_length(code));
            }
        }
    }
    if (image != NULL) zbar.zbar_image_destroy(image);
    if (scanner != NULL) zbar.zbar_image_scanner_destroy(scanner);
    return result;
}

CPictureResult cpicture_codes(
    const uint8_t *bytes, size_t length, uint32_t longest_side, uint64_t most_pixels, CPictureCode found, void *context,
    const char **missing) {
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF};
    const Limits limits = {longest_side, most_pixels};
    Grey grey = {NULL, 0, 0};
    CPictureResult result = CPICTURE_FOREIGN;
    if (length >= sizeof(png) && memcmp(bytes, png, sizeof(png)) == 0) {
        result = read_png(bytes, length, limits, &grey, missing);
    } else if (length >= sizeof(jpeg) && memcmp(bytes, jpeg, sizeof(jpeg)) == 0) {
        result = read_jpeg(bytes, length, limits, &grey, missing);
    }
    if (result != CPICTURE_READ) return result;
    result = read_codes(grey, found, context, missing);
    free(grey.pixels);
    return result;
}

uint8_t *cpicture_draw(const char *text, size_t *width) {
    QRFunctions qr;
    void *library = load("libqrencode.so.4");
    bool is_whole = library != NULL;
#define FIND_QR(name) is_whole = is_whole && find(library, #name, &qr.name);
    QR_FUNCTIONS(FIND_QR)
    if (!is_whole) return NULL;
    QRcode *code = qr.QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
    if (code == NULL) return NULL;
    // The library's array has width * width bytes; the lowest bit of each says whether the module is dark (qrencode.h).
    size_t count = (size_t)code->width * (size_t)code->width;
    uint8_t *modules = malloc(count);
    if (modules != NULL) {
        for (size_t i = 0; i < count; i++) modules[i] = code->data[i] & 1;
        *width = (size_t)code->width;
    }
    qr.QRcode_free(code);
    return modules;
}
