#ifndef C_GUEST_PAGE_H
#define C_GUEST_PAGE_H

#include <stddef.h>

/// One file of the guest page, as it is served.
struct guest_page_file {
    /// The name in `page/`.
    const char *name;
    /// Not terminated.
    const unsigned char *bytes;
    size_t size;
};

/// The page's files, `guest_page_file_count` of them; they live as long as the process.
extern const struct guest_page_file *const guest_page_files;
extern const size_t guest_page_file_count;

#endif
