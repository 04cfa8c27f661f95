// SPDX-License-Identifier: MPL-2.0
#include "gui/window/viewer.hpp"

#include <utility>

#include <QStringList>

#include <ositrace/calendar_time.hpp>

#include "gui/channels/channel_panel.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/session/moment_maker.hpp"

namespace ositrace::gui {

namespace {

/// Without reading, as the index has it.
std::vector<std::optional<std::uint64_t>> known_numbers(const MomentRequest& request)
{
    std::vector<std::optional<std::uint64_t>> numbers;
    for (const auto& each : *request.channels) numbers.push_back(each.last_until(request.time));
    if (request.pinned && request.pinned->source < numbers.size())
        numbers[request.pinned->source] = request.pinned->number;
    return numbers;
}

std::vector<Nanoseconds> shifts_of(const OpenChannels& channels)
{
    std::vector<Nanoseconds> shifts;
    for (const auto& each : channels) shifts.push_back(each.shift);
    return shifts;
}

/// Of a file that is outdated.
QString change_text(const OpenTrace& trace)
{
    const auto name = QString::fromStdString(trace.file.filename().string());
    if (!trace.now) return Viewer::tr("%1 was removed since it was opened").arg(name);
    const bool is_same = trace.now->device == trace.stamp->device && trace.now->number == trace.stamp->number;
    if (is_same && trace.now->size > trace.stamp->size)
        return Viewer::tr("%1 has grown since it was opened: F5 reloads it, Shift+F5 follows it").arg(name);
    return Viewer::tr("%1 was replaced since it was opened: F5 reloads it").arg(name);
}

bool is_exact(const OpenChannels& channels)
{
    for (const auto& each : channels)
        if (each.times->stride != 1) return false;
    return true;
}

}  // namespace

Viewer::Viewer(std::function<Nanoseconds()> clock, QObject* parent) : QObject(parent), playback_(std::move(clock))
{
    connect(&session_, &Session::channels_changed, this, &Viewer::take_channels);
    connect(&session_, &Session::times_changed, this, &Viewer::take_times);
    connect(&session_, &Session::shown_changed, this, [this] {
        ask(true);
        emit problems_changed();
    });
    connect(&session_, &Session::active_changed, this, [this] { playback_.set_active(session_.active()); });
    connect(&session_, &Session::traces_changed, this, &Viewer::problems_changed);
    connect(&playback_, &PlaybackController::time_changed, this, [this] {
        if (!going_) {  // somebody went elsewhere
            wanted_.reset();
            missed_.clear();
        }
        ask(false);
    });
    connect(&frames_, &FrameService::ready, this, &Viewer::take);
}

void Viewer::open(const std::vector<std::filesystem::path>& files, std::optional<MessageType> type)
{
    wanted_ = "+0";  // the start, wherever it is when all of them are open
    out_of_reach_.clear();
    missed_.clear();
    if (!session_.traces().empty()) session_.close_all();
    selection_.clear();
    for (const auto& each : files) session_.open(each, type);
}

bool Viewer::go_to(const std::string& typed)
{
    const auto zero = Nanoseconds(0);  // calendar times wait for the trace's zero time
    if (!parse_time(typed, {{}, zero})) return false;
    wanted_ = typed;
    out_of_reach_.clear();
    missed_.clear();
    go_on_to_wanted();
    return true;
}

std::optional<Nanoseconds> Viewer::zero_time() const
{
    for (const auto& each : session_.traces()) {
        if (!each.trace) continue;
        if (const auto zero = zero_time_of(each.trace->info())) return zero;
    }
    return std::nullopt;
}

QStringList Viewer::problems() const
{
    QStringList lines;
    if (is_out_of_reach())
        lines += tr("'%1' is not there: this trace has no calendar time").arg(QString::fromStdString(out_of_reach_));
    if (!missed_.isEmpty()) lines += missed_;
    for (const auto& each : session_.traces()) {
        if (each.is_outdated())
            lines += change_text(each);
        else if (!each.problem.isEmpty())
            lines += each.problem;
    }
    for (const auto& each : *session_.channels()) {
        if (!each.shown) lines += tr("%1 is hidden: its box in Channels is off").arg(QString::fromStdString(each.name));
        if (each.times->all_assumed) {
            const auto what = each.times->backward == 0
                                  ? tr("all %1 messages have the same time").arg(each.times->count)
                                  : tr("no message has a later time than the first one");
            lines += tr("%1: %2, one every 0.1 s is assumed").arg(QString::fromStdString(each.name), what);
        }
        if (!each.note.empty()) lines += QString::fromStdString(each.name + ": " + each.note);
        if (!each.channel->unviewable.empty())
            lines += QString::fromStdString(each.name + ": " + each.channel->unviewable);
        if (each.times->without_time != 0)
            lines += tr("%1: %2 no time, one every 0.1 s is assumed")
                         .arg(QString::fromStdString(each.name),
                              each.times->without_time == 1 ? tr("1 message has")
                                                            : tr("%1 messages have").arg(each.times->without_time));
        if (each.times->backward != 0 && !each.times->all_assumed) {
            const auto often = each.times->backward == 1 ? tr("once") : tr("%1 times").arg(each.times->backward);
            lines += tr("%1: time goes backward %2; such messages are reached by steps")
                         .arg(QString::fromStdString(each.name), often);
        }
    }
    if (moment_ && moment_->channels.size() == session_.channels()->size())
        for (std::size_t i = 0; i != moment_->channels.size(); ++i) {
            const auto& each = moment_->channels[i];
            const auto& channel = (*session_.channels())[i];
            // What is read by an index of what the file was says nothing of the file.
            const bool is_outdated = session_.traces()[channel.trace_number].is_outdated();
            if (!each.problem.empty() && !is_outdated) lines += QString::fromStdString(each.problem);
            if (each.is_past) lines += silence_text(channel, each.number);
        }
    if (session_.starts_aligned())
        lines += tr("the traces are of different times and are shown as if they began together");
    return lines;
}

std::optional<std::uint64_t> Viewer::shown_number() const
{
    if (!moment_ || session_.active() >= moment_->channels.size()) return std::nullopt;
    const auto& shown = moment_->channels[session_.active()];
    return shown.frame || !shown.problem.empty() ? std::optional(shown.number) : std::nullopt;
}

void Viewer::take_channels()
{
    frames_.forget();
    asked_.clear();
    shown_generation_ = generation_;
    anew_ = generation_ + 1;
    const auto before = std::exchange(channels_, session_.channels());
    const auto& selected = selection_.current();  // which knows its channel by its place
    if (selected &&
        (selected->source >= before->size() || place_of(*before, selected->source, *channels_) != selected->source))
        selection_.clear();
    if (moment_ && session_.channels()->size() != moment_->channels.size()) {
        moment_.reset();
        emit moment_changed();
    }
    take_times();
}

void Viewer::take_times()
{
    going_ = true;
    const bool was_at_end = session_.follows() && playback_.can_play() && playback_.time() == playback_.extent()->to;
    playback_.set_channels(session_.channels(), session_.active(), session_.is_complete() && !session_.follows());
    if (was_at_end && playback_.can_play()) playback_.seek(playback_.extent()->to);
    going_ = false;
    go_on_to_wanted();
    emit problems_changed();
}

void Viewer::go_on_to_wanted()
{
    if (!wanted_ || !playback_.can_play()) return;
    const auto where = parse_time(*wanted_, {*playback_.extent(), zero_time()});
    const bool complete = session_.is_complete();
    if (!where) {
        if (complete)
            out_of_reach_ =
                *std::exchange(wanted_, std::nullopt);  // before, the zero time of calendar times may not be known
        return;
    }
    going_ = true;
    const bool opened = session_.all_opened();  // before, the time axis and the active channel may change
    bool reached = complete;
    if (const auto* const time = std::get_if<Nanoseconds>(&*where)) {
        const auto extent = *playback_.extent();
        if (complete && (*time < extent.from || *time > extent.to))
            missed_ =
                *time < extent.from
                    ? tr("%1 is before the beginning: the first message is shown").arg(QString::fromStdString(*wanted_))
                    : tr("%1 is behind the end: the last message is shown").arg(QString::fromStdString(*wanted_));
        const bool from_end = wanted_->starts_with('-');
        reached = reached || (opened && !from_end && *time < playback_.extent()->to);
        playback_.seek(*time);
    } else {
        const auto number = std::get<std::uint64_t>(*where);
        const auto& channels = *session_.channels();
        const auto count = session_.active() < channels.size() ? channels[session_.active()].times->count : 0;
        if (complete && number >= count)
            missed_ = tr("there is no message %1: the last one is %2").arg(number).arg(count == 0 ? 0 : count - 1);
        reached = reached || (opened && number < count);
        playback_.go_to_message(number);
    }
    going_ = false;
    if (reached) wanted_.reset();
}

MomentRequest Viewer::request_now() const
{
    return {.channels = session_.channels(),
            .time = playback_.time(),
            .pinned = playback_.pinned(),
            .generation = generation_ + 1,
            .direction = playback_.playing() ? 1 : 0};
}

void Viewer::ask(bool anew)
{
    auto request = request_now();
    if (request.channels->empty()) return;
    auto key = key_of(request, known_numbers(request));
    auto shifts = shifts_of(*request.channels);
    anew = anew || shifts != asked_shifts_;
    const bool same = !anew && key == asked_ && (request.time == asked_time_ || is_exact(*request.channels));
    const bool is_shown = moment_ && shown_generation_ >= anew_ && moment_->key == key;
    asked_time_ = request.time;
    asked_ = std::move(key);
    asked_shifts_ = std::move(shifts);
    if (!anew && is_shown) {  // whatever else was asked for meanwhile
        frames_.forget();
        shown_generation_ = generation_;
    }
    if (same || (!anew && is_shown)) return take_time();
    ++generation_;
    if (anew) anew_ = generation_;
    frames_.request(std::move(request));
}

void Viewer::take_time()
{
    if (!is_settled()) return;
    shown_time_ = asked_time_;
    playback_.shown(shown_time_);
    emit time_shown();
}

void Viewer::take(const std::shared_ptr<const Moment>& moment)
{
    if (moment->channels.size() != session_.channels()->size()) return;
    moment_ = moment;
    shown_generation_ = moment->generation;
    shown_time_ = is_settled() ? asked_time_ : moment->time;
    playback_.shown(shown_time_);
    selection_.follow(*moment->picture);
    emit moment_changed();
    emit problems_changed();
}

}  // namespace ositrace::gui
