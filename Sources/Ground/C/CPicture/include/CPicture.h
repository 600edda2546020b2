#pragma once

#include <stddef.h>
#include <stdint.h>

// Reads the QR codes in a PNG or JPEG picture, with zbar, libpng and libjpeg-turbo, and draws one with libqrencode. These
// libraries are loaded when they are first used: zbar alone loads a dozen others, and few commands need a picture.

typedef enum {
    CPICTURE_READ,
    // Neither PNG nor JPEG.
    CPICTURE_FOREIGN,
    // Larger than allowed according to its header; nothing of it was decoded.
    CPICTURE_TOO_LARGE,
    // Incomplete or damaged.
    CPICTURE_BROKEN,
    // A library cannot be loaded: `missing` names the Debian package that has it.
    CPICTURE_NO_LIBRARY,
    CPICTURE_NO_MEMORY,
} CPictureResult;

// Receives the text of one code: `length` bytes without a zero at the end, valid during the call.
typedef void (*CPictureCode)(void *context, const char *text, size_t length);

// Calls `found` for each QR code in the picture. A picture is decoded only if neither side is longer than
// `longest_side` and it has at most `most_pixels` pixels, each of which takes one byte of memory. `missing` is set only
// with CPICTURE_NO_LIBRARY, to a text that is never freed.
CPictureResult cpicture_codes(
    const uint8_t *bytes, size_t length, uint32_t longest_side, uint64_t most_pixels, CPictureCode found, void *context,
    const char **missing);

// The modules of a QR code, row by row: `width` times `width` bytes, 1 for a dark one, without the light margin around it. The caller frees
// them. NULL if the text does not fit into a code, if there is no memory, or if libqrencode is not installed.
uint8_t *cpicture_draw(const char *text, size_t *width);
