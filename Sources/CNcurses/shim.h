#pragma once
// The -D flags of ncursesw.pc do not reach a module map, so what makes the wide API visible is defined here.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_ENABLE_STDBOOL_H 1
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>

// An anonymous file in memory, and the width that ncurses itself goes by; declared here because their headers need
// _GNU_SOURCE.
extern int memfd_create(const char *name, unsigned int flags);
extern int wcwidth(wchar_t character);
static inline int cncurses_width(wchar_t character) { return wcwidth(character); }
static inline int cncurses_memory_file(void) { return memfd_create("hoot-screen", 1u /* MFD_CLOEXEC */); }

// Globals and macros that Swift does not see. The pointers are the current screen's.
static inline WINDOW *cncurses_stdscr(void) { return stdscr; }
static inline WINDOW *cncurses_curscr(void) { return curscr; }
static inline int cncurses_colors(void) { return COLORS; }
static inline int cncurses_color_pairs(void) { return COLOR_PAIRS; }
enum {
    CNCURSES_BOLD = A_BOLD,
    CNCURSES_DIM = A_DIM,
    CNCURSES_UNDERLINE = A_UNDERLINE,
    CNCURSES_REVERSE = A_REVERSE,
    CNCURSES_INVISIBLE = A_INVIS,
};

// Whether the terminal can move its cursor, without which nothing can be drawn.
static inline bool cncurses_moves_cursor(void) { return tigetstr("cup") != NULL && tigetstr("cup") != (char *)-1; }

// Whether the description says that the terminal shows 24-bit colours beside those that it describes: tmux' Tc, and RGB,
// which is a flag, a number or a text.
static inline bool cncurses_shows_direct_color(void) {
    const char *text = tigetstr("RGB");
    return tigetflag("Tc") > 0 || tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (text != NULL && text != (char *)-1);
}

// Whether the system has a description of terminals of this type. Not while a screen is open. Declared here because
// its header brings the terminal's settings along.
extern int tgetent(char *buffer, const char *type);
static inline bool cncurses_knows(const char *type) { return *type != '\0' && tgetent(NULL, type) == 1; }

// Puts one cell: `text` is a zero-terminated base character with its combining marks. Pairs beyond 255 go through opts.
static inline int cncurses_put(WINDOW *window, int row, int column, const wchar_t *text, attr_t attributes, int pair) {
    cchar_t cell;
    if (setcchar(&cell, text, attributes, 0, &pair) == ERR) return ERR;
    return mvwadd_wch(window, row, column, &cell);
}
