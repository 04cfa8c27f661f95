// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/channel_facts.hpp"

#include <QCoreApplication>

#include "gui/playback/time_text.hpp"
#include "gui/tree/value_text.hpp"

namespace ositrace::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ChannelFacts", text); }

QString seconds(Nanoseconds time) { return QString::fromStdString(seconds_text(time)); }

/// Of times from a file: their difference may not fit in Nanoseconds.
QString length_text(Nanoseconds from, Nanoseconds to)
{
    using Seconds = std::chrono::duration<double>;
    return QString::number(Seconds(to).count() - Seconds(from).count(), 'f', 3) + QStringLiteral(" s");
}

QString milliseconds(Nanoseconds time)
{
    return QString::number(std::chrono::duration<double, std::milli>(time).count(), 'g', 6) + QStringLiteral(" ms");
}

/// `12.3 kB`
QString size_text(double bytes)
{
    constexpr double step = 1000;
    const char* unit = " B";
    for (const auto* const next : {" kB", " MB", " GB", " TB"}) {
        if (bytes < step) break;
        bytes /= step;
        unit = next;
    }
    return QString::number(bytes, 'g', 4) + QString::fromLatin1(unit);
}

void add_sizes(std::vector<Fact>& facts, const ChannelSummary& channel)
{
    if (channel.frames == 0) return;
    const auto& sizes = channel.sizes;
    if (channel.sizes_sampled) {
        facts.push_back(
            {tr("message size"),
             tr("%1 \u2026 %2")
                 .arg(size_text(static_cast<double>(sizes.smallest)), size_text(static_cast<double>(sizes.largest))),
             tr("smallest and largest of the first, the middle and the last message")});
        return;
    }
    const auto mean = static_cast<double>(sizes.total) / static_cast<double>(channel.frames);
    facts.push_back({tr("size"), size_text(static_cast<double>(sizes.total)),
                     tr("of all messages: %1 bytes").arg(count_text(sizes.total))});
    facts.push_back({tr("message size"),
                     tr("%1 \u2026 %2, mean %3")
                         .arg(size_text(static_cast<double>(sizes.smallest)),
                              size_text(static_cast<double>(sizes.largest)), size_text(mean)),
                     tr("smallest, largest and mean: %1, %2, %3 bytes")
                         .arg(count_text(sizes.smallest), count_text(sizes.largest))
                         .arg(mean, 0, 'f', 1)});
}

void add_steps(std::vector<Fact>& facts, const TimeSteps& steps)
{
    const auto add = [&](const QString& name, std::uint64_t count, const QString& tip) {
        facts.push_back({name, count_text(count), tip, {}, count != 0});
    };
    facts.push_back({tr("jitter"),
                     tr("steps of %1 \u2026 %2").arg(milliseconds(steps.shortest), milliseconds(steps.longest)),
                     tr("the shortest and the longest time between two messages")});
    add(tr("gaps"), steps.gaps, tr("steps longer than 1.5 times the usual"));
    add(tr("equal times"), steps.repeated, tr("messages with the time of the message before"));
    add(tr("backward times"), steps.backward, tr("messages with an earlier time than the message before"));
    add(tr("without time"), steps.frames_without_time, tr("messages that have no timestamp"));
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
            {tr("duration"), length_text(*channel.start, *channel.end), tr("from the first to the last message")});
        facts.push_back({tr("from"), seconds(*channel.start), tr("time of the first message"), channel.start});
        facts.push_back({tr("to"), seconds(*channel.end), tr("time of the last message"), channel.end});
    }
    if (channel.rate_hz)
        facts.push_back(
            {tr("rate"), QString::number(*channel.rate_hz, 'g', 5) + QStringLiteral(" Hz"), tr("messages per second")});
    if (channel.step)
        facts.push_back({tr("step"), milliseconds(*channel.step), tr("the usual time between two messages")});
    add_sizes(facts, channel);
    if (channel.steps) add_steps(facts, *channel.steps);
    if (channel.static_data != StaticPattern::none)
        facts.push_back({tr("map"), QString::fromUtf8(name_of(channel.static_data)),
                         tr("in which messages the static part of the ground truth stands")});
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
        gaps.push_back({tr("in front of message %1").arg(gap.frame), length_text(gap.from, gap.to),
                        tr("from %1 to %2").arg(seconds(gap.from), seconds(gap.to)), gap.from, true});
    return gaps;
}

}  // namespace ositrace::gui
