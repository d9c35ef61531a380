#pragma once
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>
