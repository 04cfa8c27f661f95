// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::app {

/// What scripts may rely on. A program that was interrupted ends by the signal instead, so that a shell loop ends with
/// it.
enum class ExitCode : int {
    done = 0,
    could_not = 1,     ///< data, input and output
    usage = 2,         ///< the command line cannot be meant
    answer_is_no = 3,  ///< done, and something was found, lost or differs
};

}  // namespace ositrace::app
