#ifndef C_THEMES_H
#define C_THEMES_H

#include <stddef.h>

/// One file of the source tree's `themes/`.
struct theme_file {
    /// Without `.theme`.
    const char *name;
    /// Not terminated.
    const unsigned char *bytes;
    size_t size;
};

/// The themes in the order in which they are listed, `theme_file_count` of them; they live as long as the process.
extern const struct theme_file *const theme_files;
extern const size_t theme_file_count;

#endif
