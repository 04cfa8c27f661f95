// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_summary.hpp"

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

struct SummaryValue {
    const char* name;
    double (*of)(const ValueSummary& summary);
};

constexpr SummaryValue summary_values[] = {
    {"min", [](const ValueSummary& summary) { return summary.range.least; }},
    {"max", [](const ValueSummary& summary) { return summary.range.most; }},
    {"mean", [](const ValueSummary& summary) { return summary.mean(); }},
};

constexpr int visible_part = 0, section_part = 1;

QString part_text(const QString& title, int part, const PlotLine& line, const TimeSection& times)
{
    const auto summary = line.summary(times);
    if (summary.count == 0) return PlotSummary::tr("%1: no value").arg(title);
    QStringList values;
    for (int i = 0; i != static_cast<int>(std::size(summary_values)); ++i)
        values += QStringLiteral("<a href=\"%1 %2\">%3 %4</a>")
                      .arg(part)
                      .arg(i)
                      .arg(QLatin1String(summary_values[i].name), rounded_text(summary_values[i].of(summary)));
    return PlotSummary::tr("%1 (%2): %3")
        .arg(title, count_text(summary.count, "sample"), values.join(QStringLiteral(", ")));
}

}  // namespace

PlotSummary::PlotSummary(QWidget* parent) : LinkLabel(parent)
{
    setObjectName(QStringLiteral("plot_summary"));
    setTextFormat(Qt::RichText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setToolTip(
        tr("Of the samples of the chosen curve; a click jumps to the first sample with the value, of the mean to "
           "the nearest one"));
    connect(this, &QLabel::linkActivated, this, &PlotSummary::jump);
    hide();
}

void PlotSummary::show_line(const std::optional<PlotLine>& line, const TimeSection& visible,
                            const std::optional<TimeSection>& section)
{
    line_ = line;
    visible_ = visible;
    section_ = section;
    setVisible(line.has_value());
    if (!line) return;
    auto unit = line->unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(line->unit);
    auto text = QStringLiteral("<b>%1%2</b>&nbsp; ").arg(line->short_name().toHtmlEscaped(), unit.toHtmlEscaped()) +
                part_text(tr("visible"), visible_part, *line, visible);
    if (section) text += QStringLiteral(" &nbsp; ") + part_text(tr("section"), section_part, *line, *section);
    if (text != this->text()) setText(text);
}

void PlotSummary::jump(const QString& link)
{
    const auto words = link.split(QLatin1Char(' '));
    if (!line_ || words.size() != 2) return;
    const auto& times = words[0].toInt() == section_part && section_ ? *section_ : visible_;
    const auto value = summary_values[words[1].toInt()].of(line_->summary(times));
    if (const auto time = line_->time_nearest(value, times)) emit seek_requested(*time);
}

}  // namespace ositrace::gui
