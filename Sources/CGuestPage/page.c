#include "CGuestPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_BYTES(name) static const unsigned char name[]

FILE_BYTES(index_html) = {
#embed "page/index.html"
};
FILE_BYTES(style_css) = {
#embed "page/style.css"
};
FILE_BYTES(main_js) = {
#embed "page/main.js"
};
FILE_BYTES(room_js) = {
#embed "page/room.js"
};
FILE_BYTES(signalling_js) = {
#embed "page/signalling.js"
};
FILE_BYTES(peer_js) = {
#embed "page/peer.js"
};
FILE_BYTES(quality_js) = {
#embed "page/quality.js"
};
FILE_BYTES(authentication_js) = {
#embed "page/authentication.js"
};
FILE_BYTES(sound_js) = {
#embed "page/sound.js"
};
FILE_BYTES(picture_js) = {
#embed "page/picture.js"
};
FILE_BYTES(text_js) = {
#embed "page/text.js"
};
FILE_BYTES(tiles_js) = {
#embed "page/tiles.js"
};
FILE_BYTES(view_js) = {
#embed "page/view.js"
};

#define ENTRY(name, bytes) {name, bytes, sizeof bytes}

static const struct guest_page_file files[] = {
    ENTRY("index.html", index_html),
    ENTRY("style.css", style_css),
    ENTRY("main.js", main_js),
    ENTRY("room.js", room_js),
    ENTRY("signalling.js", signalling_js),
    ENTRY("peer.js", peer_js),
    ENTRY("quality.js", quality_js),
    ENTRY("authentication.js", authentication_js),
    ENTRY("sound.js", sound_js),
    ENTRY("picture.js", picture_js),
    ENTRY("text.js", text_js),
    ENTRY("tiles.js", tiles_js),
    ENTRY("view.js", view_js),
};
const struct guest_page_file *const guest_page_files = files;
const size_t guest_page_file_count = sizeof files / sizeof files[0];
