// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <QString>

#include <ositrace/check.hpp>

namespace ositrace::gui {

/// Something to be seen at a time: a finding of `check`, a gap.
struct TimelineMark {
    Nanoseconds time{};                   ///< on the session's axis
    std::optional<std::uint32_t> source;  ///< the channel; empty: of the whole file
    Severity severity = Severity::warning;
    QString text;             ///< the tooltip
    std::uint64_t count = 1;  ///< of equal ones that it stands for
};

}  // namespace ositrace::gui
