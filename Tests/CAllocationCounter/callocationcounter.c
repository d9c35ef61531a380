#include "callocationcounter.h"

#include <errno.h>
#include <stddef.h>

static __thread bool counting;
static __thread long count;

void callocationcounter_start(void) {
    count = 0;
    counting = true;
}

long callocationcounter_stop(void) {
    counting = false;
    return count;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

bool callocationcounter_works(void) { return false; }

#else

bool callocationcounter_works(void) { return true; }

// Definitions in the executable come before those of the C library for every library in the process.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    if (counting) count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    if (counting) count++;
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    if (counting) count++;
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    if (counting) count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    void *result = memalign(alignment, size);
    if (!result) return ENOMEM;
    *pointer = result;
    return 0;
}

#endif
