#include "cwebrtcap.h"
