#pragma once

#include <stddef.h>
#include <stdint.h>

// The QR codes in a PNG or JPEG picture, by zbar, libpng and libjpeg-turbo. They are loaded when they are first used: zbar alone
// brings a dozen libraries along, and hardly any command reads a picture.

typedef enum {
    CPICTURE_READ,
    // Neither PNG nor JPEG.
    CPICTURE_FOREIGN,
    // Of more pixels, or longer on one side, than allowed; its own head says so, and nothing of it was decoded.
    CPICTURE_TOO_LARGE,
    // Not whole, or not as its format wants it.
    CPICTURE_BROKEN,
    // A library cannot be loaded: `missing` names the Debian package that has it.
    CPICTURE_NO_LIBRARY,
    CPICTURE_NO_MEMORY,
} CPictureResult;

// Takes the text of one code, which has `length` bytes, no zero at its end, and lasts for the call.
typedef void (*CPictureCode)(void *context, const char *text, size_t length);

// Calls `found` for each QR code. `missing` lasts for the whole run and is set with CPICTURE_NO_LIBRARY alone. Before a picture is
// decoded its sides must be within `longest_side`, and their product within `most_pixels`: each pixel takes one byte.
CPictureResult cpicture_codes(
    const uint8_t *bytes, size_t length, uint32_t longest_side, uint64_t most_pixels, CPictureCode found, void *context,
    const char **missing);
