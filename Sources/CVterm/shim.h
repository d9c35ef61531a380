#pragma once
#include <string.h>
#include <vterm.h>

// One cell in plain members; the library's own has bit fields and unions. Colours are 0xRRGGBB.
typedef struct {
    uint32_t character; // 0: empty, or the right half of a wide one
    uint32_t foreground, background;
    uint8_t width;
    uint8_t bold, underline, italic, strike;
} cvterm_cell;

static inline uint32_t cvterm_rgb(const VTermScreen *screen, VTermColor color) {
    vterm_screen_convert_color_to_rgb(screen, &color);
    return (uint32_t)color.rgb.red << 16 | (uint32_t)color.rgb.green << 8 | color.rgb.blue;
}

// Reverse video, of the cell or of the whole screen, is resolved into the two colours by the library's reverse flag.
static inline int cvterm_get_cell(const VTermScreen *screen, int row, int column, cvterm_cell *out) {
    VTermPos position = {.row = row, .col = column};
    VTermScreenCell cell;
    memset(&cell, 0, sizeof cell);
    if (!vterm_screen_get_cell(screen, position, &cell)) return 0;
    uint32_t foreground = cvterm_rgb(screen, cell.fg), background = cvterm_rgb(screen, cell.bg);
    out->character = cell.chars[0] == (uint32_t)-1 ? 0 : cell.chars[0];
    out->foreground = cell.attrs.reverse ? background : foreground;
    out->background = cell.attrs.reverse ? foreground : background;
    out->width = cell.width > 0 ? (uint8_t)cell.width : 1;
    out->bold = cell.attrs.bold;
    out->underline = cell.attrs.underline != 0;
    out->italic = cell.attrs.italic;
    out->strike = cell.attrs.strike;
    return 1;
}

static inline int cvterm_boolean(const VTermValue *value) { return value->boolean; }
static inline int cvterm_number(const VTermValue *value) { return value->number; }

// The default colours, 0xRRGGBB; what stands on the screen already keeps its own.
static inline void cvterm_set_default_colors(VTerm *terminal, uint32_t foreground, uint32_t background) {
    VTermColor front, back;
    vterm_color_rgb(&front, foreground >> 16 & 255, foreground >> 8 & 255, foreground & 255);
    vterm_color_rgb(&back, background >> 16 & 255, background >> 8 & 255, background & 255);
    vterm_state_set_default_colors(vterm_obtain_state(terminal), &front, &back);
}
