#pragma once
#include <stdbool.h>

/// Counts calls of malloc and its kin on the calling thread, from any library, between start and stop.
void callocationcounter_start(void);
long callocationcounter_stop(void);
/// False where a sanitizer owns the allocator.
bool callocationcounter_works(void);
