#pragma once
// Only with it do the headers declare the JPEG functions, which the library always has.
#define HAVE_JPEG 1
#include <libyuv/convert.h>
#include <libyuv/convert_from.h>
#include <libyuv/planar_functions.h>
#include <libyuv/scale.h>
