// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <optional>

#include "gui/plot/plot_data.hpp"
#include "gui/widgets/link_label.hpp"

namespace ositrace::gui {

/// One line below the plots: least, greatest and mean value of a curve in the visible times and in the section. A click
/// on one jumps to the first sample that has it, of the mean to the one nearest to it.
class PlotSummary : public LinkLabel {
    Q_OBJECT
public:
    explicit PlotSummary(QWidget* parent = nullptr);
    /// Without a line it is hidden.
    void show_line(const std::optional<PlotLine>& line, const TimeSection& visible,
                   const std::optional<TimeSection>& section);

signals:
    void seek_requested(std::chrono::nanoseconds time);

private:
    void jump(const QString& link);

    std::optional<PlotLine> line_;
    TimeSection visible_{};
    std::optional<TimeSection> section_;
};

}  // namespace ositrace::gui
