#pragma once
// The library speaks C++ only: CWebRTCAP is its C face. This module carries its include and link flags.
