#pragma once
// The -D flags of ncursesw.pc do not reach a module map, so what makes the wide API visible is defined here.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_ENABLE_STDBOOL_H 1
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
