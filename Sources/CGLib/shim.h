#pragma once
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>

// The version of the GLib that is loaded: its variables are not importable.
static inline unsigned cglib_version(int part) {
    return part == 0 ? glib_major_version : part == 1 ? glib_minor_version : glib_micro_version;
}
