#pragma once
#include <pulse/pulseaudio.h>

/// 32-bit float samples in the byte order of this machine (a macro that Swift cannot see).
static inline pa_sample_format_t cpulse_sample_float32(void) { return PA_SAMPLE_FLOAT32NE; }
