#include "CThemes.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char dark[] = {
#embed "../../themes/dark.theme"
};
static const unsigned char light[] = {
#embed "../../themes/light.theme"
};
static const unsigned char mono[] = {
#embed "../../themes/mono.theme"
};
static const unsigned char high_contrast[] = {
#embed "../../themes/high-contrast.theme"
};
static const unsigned char colour_blind[] = {
#embed "../../themes/colour-blind.theme"
};
static const unsigned char solarized_dark[] = {
#embed "../../themes/solarized-dark.theme"
};
static const unsigned char solarized_light[] = {
#embed "../../themes/solarized-light.theme"
};
static const unsigned char gruvbox_dark[] = {
#embed "../../themes/gruvbox-dark.theme"
};
static const unsigned char gruvbox_light[] = {
#embed "../../themes/gruvbox-light.theme"
};
static const unsigned char nord[] = {
#embed "../../themes/nord.theme"
};

#define ENTRY(name, bytes) {name, bytes, sizeof bytes}

static const struct theme_file files[] = {
    ENTRY("dark", dark),
    ENTRY("light", light),
    ENTRY("mono", mono),
    ENTRY("high-contrast", high_contrast),
    ENTRY("colour-blind", colour_blind),
    ENTRY("solarized-dark", solarized_dark),
    ENTRY("solarized-light", solarized_light),
    ENTRY("gruvbox-dark", gruvbox_dark),
    ENTRY("gruvbox-light", gruvbox_light),
    ENTRY("nord", nord),
};
const struct theme_file *const theme_files = files;
const size_t theme_file_count = sizeof files / sizeof files[0];
