// SPDX-License-Identifier: MPL-2.0
#pragma once

/// Marks what the shared library exports; everything else is compiled with hidden visibility. The static library is
/// built from the same objects: a program or plugin that links it through CMake hides the marked names again
/// (--exclude-libs).
#define OSITRACE_API __attribute__((visibility("default")))
