// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::app {

/// Scripts may rely on these. A program that was interrupted ends by the signal instead, so that a shell loop also
/// ends.
enum class ExitCode : int {
    success = 0,
    failed = 1,    ///< invalid data or I/O error
    usage = 2,     ///< invalid usage
    findings = 3,  ///< completed with findings, differences or losses
};

}  // namespace ositrace::app
