// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/statistics_panel.hpp"

#include <QCoreApplication>

#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ChannelFacts", text); }

void add_sizes(std::vector<Fact>& facts, const ChannelSummary& channel)
{
    if (channel.frames == 0) return;
    const auto& sizes = channel.sizes;
    if (channel.sizes_sampled) {
        facts.push_back({tr("message size"),
                         tr("%1 \u2026 %2").arg(size_text(sizes.smallest), size_text(sizes.largest)),
                         tr("smallest and largest of the first, the middle and the last message")});
        return;
    }
    const auto mean = static_cast<double>(sizes.total) / static_cast<double>(channel.frames);
    facts.push_back({tr("size"), size_text(sizes.total), tr("of all messages: %1 bytes").arg(count_text(sizes.total))});
    facts.push_back(
        {tr("message size"),
         tr("%1 \u2026 %2, mean %3")
             .arg(size_text(sizes.smallest), size_text(sizes.largest), size_text(sizes.total / channel.frames)),
         tr("smallest, largest and mean: %1, %2, %3 bytes")
             .arg(count_text(sizes.smallest), count_text(sizes.largest))
             .arg(mean, 0, 'f', 1)});
}

void add_steps(std::vector<Fact>& facts, const TimeSteps& steps)
{
    const auto add = [&](const QString& name, std::uint64_t count, const QString& tip) {
        facts.push_back({name, count_text(count), tip, {}, count != 0});
    };
    facts.push_back(
        {tr("jitter"),
         tr("steps of %1 \u2026 %2").arg(milliseconds_text(steps.shortest), milliseconds_text(steps.longest)),
         tr("the shortest and the longest time between two messages")});
    add(tr("gaps"), steps.gaps, tr("steps longer than 1.5 times the usual one"));
    add(tr("equal times"), steps.repeated, tr("messages with the time of the previous message"));
    add(tr("backward times"), steps.backward, tr("messages with an earlier time than the previous message"));
    add(tr("without time"), steps.frames_without_time, tr("messages without a timestamp"));
}

QString versions_text(const std::vector<OsiVersion>& versions)
{
    QStringList texts;
    for (const auto& version : versions) texts += QString::fromStdString(version.to_string());
    return texts.join(QStringLiteral(", "));
}

}  // namespace

std::vector<Fact> facts_of(const ChannelSummary& channel)
{
    std::vector<Fact> facts;
    const auto type = visible_text(channel.channel.type_name, shown_characters);
    facts.push_back({tr("type"),
                     type + QStringLiteral(", ") + QString::fromUtf8(row_of(channel.channel.format.encoding).name),
                     {}});
    if (!channel.osi_versions.empty()) facts.push_back({tr("OSI version"), versions_text(channel.osi_versions), {}});
    facts.push_back({tr("messages"), count_text(channel.frames), {}});
    if (channel.start && channel.end) {
        facts.push_back(
            {tr("duration"), duration_text(*channel.start, *channel.end), tr("from the first to the last message")});
        facts.push_back({tr("from"), seconds_text(*channel.start), tr("time of the first message"), channel.start});
        facts.push_back({tr("to"), seconds_text(*channel.end), tr("time of the last message"), channel.end});
    }
    if (channel.rate_hz)
        facts.push_back({tr("rate"), hertz_text(*channel.rate_hz) + QStringLiteral(" Hz"), tr("messages per second")});
    if (channel.step)
        facts.push_back({tr("step"), milliseconds_text(*channel.step), tr("the usual time between two messages")});
    add_sizes(facts, channel);
    if (channel.steps) add_steps(facts, *channel.steps);
    if (channel.static_data != StaticPattern::none)
        facts.push_back({tr("map"), QString::fromUtf8(name_of(channel.static_data)),
                         tr("which messages contain the static part of the ground truth")});
    if (channel.unreadable_frames != 0)
        facts.push_back({tr("broken messages"),
                         count_text(channel.unreadable_frames),
                         QString::fromStdString(channel.first_unreadable.value_or("")),
                         {},
                         true});
    return facts;
}

std::vector<Fact> gaps_of(const ChannelSummary& channel)
{
    std::vector<Fact> gaps;
    if (!channel.steps) return gaps;
    for (const auto& gap : channel.steps->listed_gaps)
        gaps.push_back({tr("before message %1").arg(gap.frame), duration_text(gap.from, gap.to),
                        tr("from %1 to %2").arg(seconds_text(gap.from), seconds_text(gap.to)), gap.from, true});
    return gaps;
}

}  // namespace ositrace::gui
