// SPDX-License-Identifier: MPL-2.0
#include "gui/session/session.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <QFileSystemWatcher>

#include <ositrace/error.hpp>
#include <ositrace/network_address.hpp>

#include "gui/remote/remote_file.hpp"
#include "gui/session/live_loader.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

/// Traces that start further apart than this are separate recordings, and are shifted to start together.
constexpr Nanoseconds far_apart = std::chrono::hours(1);
constexpr auto check_delay = std::chrono::milliseconds(300);

/// The channel of the first file that the user most likely wants to see: by type, in this order.
std::uint32_t default_channel(const OpenChannels& channels)
{
    const auto rank = [](const OpenChannel& each) {
        if (!each.channel->type) return 3;
        const auto type = *each.channel->type;
        return type == MessageType::sensor_view                                        ? 0
               : type == MessageType::sensor_data || type == MessageType::ground_truth ? 1
                                                                                       : 2;
    };
    const auto is_of_another = [&](const auto& each) { return each.trace_number != channels.front().trace_number; };
    const auto end = std::find_if(channels.begin(), channels.end(), is_of_another);
    const auto best =
        std::min_element(channels.begin(), end, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return static_cast<std::uint32_t>(best - channels.begin());
}

/// Empty if the trace has no message, or none is known yet.
std::optional<Nanoseconds> first_time(const OpenChannels& channels, std::size_t trace)
{
    std::optional<Nanoseconds> first;
    for (const auto& each : channels)
        if (each.trace_number == trace && each.times->count != 0)
            first = std::min(first.value_or(Nanoseconds::max()), each.times->times.front());
    return first;
}

/// The start of the first file that has messages: the others are aligned to it.
Nanoseconds base_time(const OpenChannels& channels)
{
    for (const auto& each : channels)
        if (const auto first = first_time(channels, each.trace_number)) return *first;
    return Nanoseconds(0);
}

std::uint64_t distance(Nanoseconds a, Nanoseconds b)
{
    return static_cast<std::uint64_t>(std::max(a, b).count()) - static_cast<std::uint64_t>(std::min(a, b).count());
}

bool are_far_apart(const OpenChannels& channels)
{
    const auto base = base_time(channels);
    return std::any_of(channels.begin(), channels.end(), [&](const auto& each) {
        return distance(base, first_time(channels, each.trace_number).value_or(base)) >
               static_cast<std::uint64_t>(far_apart.count());
    });
}

/// Of the channels of a trace.
Nanoseconds shift_of(const OpenChannels& channels, std::size_t trace)
{
    const auto found = std::ranges::find(channels, trace, &OpenChannel::trace_number);
    return found == channels.end() ? Nanoseconds(0) : found->shift;
}

/// Its thread may still be reading: deletes it when the thread ends, without waiting.
void retire(Loader* loader)
{
    loader->disconnect();
    QObject::connect(loader, &Loader::ended, loader, &QObject::deleteLater);
    loader->stop();
    if (loader->has_ended()) loader->deleteLater();
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent)
{
    check_timer_.setSingleShot(true);
    check_timer_.setInterval(check_delay);
    connect(&check_timer_, &QTimer::timeout, this, &Session::check_files);
}

Session::~Session()
{
    for (auto* const each : loaders_) each->stop();
}

void Session::open(const std::filesystem::path& file, std::optional<MessageType> type)
{
    remove_model();
    const bool is_live = !is_remote(file.string()) && is_network_address(file.string());
    traces_.push_back({.file = file, .type = type, .is_live = is_live});
    loaders_.push_back(nullptr);
    load(traces_.size() - 1, false);
}

Loader* Session::loader_of(const OpenTrace& trace, bool in_whole)
{
    if (!trace.is_live) return new TraceLoader(trace.file, viewer_open_options(trace.type), in_whole, this);
    return new LiveLoader(network_feed(trace.file.string(), trace.type, live_limits()), this);
}

void Session::load(std::size_t number, bool in_whole)
{
    if (loaders_[number] != nullptr) retire(loaders_[number]);
    start(number, loader_of(traces_[number], in_whole));
}

void Session::start(std::size_t number, Loader* loader)
{
    loaders_[number] = loader;
    loader->set_looking_back(looks_back_);
    // Signals of the thread may still arrive after the file was closed or loaded again. A model is the last trace, so
    // that the others keep their numbers when it is removed.
    const auto is_open = [=, this] { return number < loaders_.size() && loaders_[number] == loader; };
    const auto update_stamp = [=, this] {
        auto& trace = traces_[number];
        trace.stamp = trace.now = loader->stamp();
        if (trace.stamp) watch(trace.file);
    };
    connect(loader, &Loader::begun, this,
            [=, this](const std::shared_ptr<const Trace>& trace, const IndexedTimes& times) {
                if (!is_open()) return;
                update_stamp();
                add_channels(number, trace, times);
            });
    connect(loader, &Loader::opened, this,
            [=, this](const std::shared_ptr<const Trace>& trace, const IndexedTimes& times) {
                if (!is_open()) return;
                traces_[number].whole = true;
                update_stamp();
                add_channels(number, trace, times);
            });
    connect(loader, &Loader::resumed, this, [=, this] {
        if (is_open() && traces_[number].is_live) emit resumed();
    });
    connect(loader, &Loader::grown, this, [=, this](const IndexedTimes& times) {
        if (is_open()) update_times(number, times);
    });
    connect(loader, &Loader::failed, this, [=, this](const QString& why) {
        if (!is_open()) return;
        update_stamp();
        traces_[number].problem = why;
        traces_[number].complete = true;
        auto channels = *channels_;
        for (auto& each : channels) {
            if (each.trace_number != number) continue;
            auto all = *each.times;
            all.complete = true;  // its first messages remain the only ones
            each.times = std::make_shared<const MessageTimes>(std::move(all));
        }
        change(std::move(channels));
        emit traces_changed();
        emit times_changed();
    });
    connect(loader, &Loader::state_changed, this, [=, this](const QString& text, bool well) {
        if (!is_open()) return;
        traces_[number].state = text;
        traces_[number].is_well = well;
        emit traces_changed();
    });
    connect(loader, &Loader::ended, &check_timer_,
            qOverload<>(&QTimer::start));  // the file may have changed meanwhile
    loader->start();
    emit traces_changed();
}

bool Session::has_model() const noexcept { return !traces_.empty() && traces_.back().model_of.has_value(); }

void Session::run_model(const ModelChoice& choice, std::size_t input, std::optional<Nanoseconds> from)
{
    remove_model();
    if (input >= traces_.size() || !traces_[input].whole || !traces_[input].is_file()) return;
    if (from) *from = shifted(*from, -shift_of(*channels_, input));
    auto options = ModelRunOptions{.make = [choice](const std::stop_token& stop) { return make_model(choice, stop); },
                                   .name = name_of(choice),
                                   .input = traces_[input].trace,
                                   .from = from,
                                   .limits = live_limits(),
                                   .record = choice.record,
                                   .write = {.overwrite = true, .recording = true}};
    traces_.push_back({.file = options.name, .model_of = input});
    loaders_.push_back(nullptr);
    start(traces_.size() - 1, new LiveLoader(model_run(std::move(options)), this));
}

void Session::remove_model()
{
    if (!has_model()) return;
    retire(loaders_.back());
    loaders_.pop_back();
    traces_.pop_back();
    auto channels = *channels_;
    std::erase_if(channels, [&](const OpenChannel& each) { return each.trace_number == traces_.size(); });
    name_channels(channels);
    change(std::move(channels));
    if (active_ >= channels_->size()) active_ = channels_->empty() ? 0 : default_channel(*channels_);
    emit traces_changed();
    emit channels_changed();
    emit active_changed();
}

void Session::show_time(Nanoseconds time, bool sought)
{
    if (!has_model()) return;
    const auto shift = shift_of(*channels_, *traces_.back().model_of);
    loaders_.back()->show_time(shifted(time, -shift), sought);
}

void Session::reload()
{
    remove_model();  // its input is read anew
    for (std::size_t i = 0; i != traces_.size(); ++i) {
        if (traces_[i].file == "-") continue;  // standard input can be read only once
        if (traces_[i].is_live && traces_[i].problem.isEmpty()) continue;
        traces_[i].complete = traces_[i].goes_on = false;
        traces_[i].progress.reset();
        load(i, true);
    }
}

void Session::set_follows(bool follows)
{
    if (std::exchange(follows_, follows) == follows) return;
    check_files();
    emit times_changed();
}

/// Returns false if the file does not exist.
bool Session::watch(const std::filesystem::path& file)
{
    if (watcher_ == nullptr) {
        watcher_ = new QFileSystemWatcher(this);
        connect(watcher_, &QFileSystemWatcher::fileChanged, &check_timer_, [this] {
            if (!check_timer_.isActive()) check_timer_.start();
        });
    }
    const auto name = QString::fromStdString(file.string());
    return watcher_->files().contains(name) || watcher_->addPath(name);
}

/// The watcher drops a file that is replaced or removed: it is added again by its name.
void Session::check_files()
{
    bool is_missing = false;
    bool differs = false;
    for (std::size_t i = 0; i != traces_.size(); ++i) {
        auto& trace = traces_[i];
        if (!trace.stamp) continue;
        is_missing = !watch(trace.file) || is_missing;
        const auto now = stamp_of(trace.file);
        differs = differs || now != std::exchange(trace.now, now);
        if (!follows_ || !trace.now || !trace.is_outdated() || !loaders_[i]->has_ended()) continue;
        trace.goes_on = trace.has_grown();
        load(i, true);
    }
    if (is_missing) check_timer_.start();
    if (differs) emit traces_changed();
}

void Session::close_all()
{
    for (auto* const each : std::exchange(loaders_, {})) retire(each);
    delete std::exchange(watcher_, nullptr);
    check_timer_.stop();
    traces_.clear();
    channels_ = std::make_shared<const OpenChannels>();
    active_ = 0;
    active_is_chosen_ = false;
    aligned_ = aligned_is_chosen_ = false;
    emit traces_changed();
    emit channels_changed();
    emit active_changed();
}

void Session::set_looking_back(bool looks_back)
{
    looks_back_ = looks_back;
    for (auto* const each : loaders_) each->set_looking_back(looks_back);
}

bool Session::is_live() const noexcept
{
    return std::any_of(traces_.begin(), traces_.end(), [](const auto& each) { return each.is_live; });
}

bool Session::all_opened() const noexcept
{
    return std::all_of(traces_.begin(), traces_.end(),
                       [](const auto& each) { return each.whole || !each.is_file() || !each.problem.isEmpty(); });
}

bool Session::is_complete() const noexcept
{
    return std::all_of(traces_.begin(), traces_.end(), [](const auto& each) { return each.complete || each.model_of; });
}

std::optional<double> Session::progress() const noexcept
{
    double least = 1;
    for (const auto& each : traces_) {
        if (each.complete || !each.is_file()) continue;
        if (!each.progress) return std::nullopt;
        least = std::min(least, *each.progress);
    }
    return least;
}

void Session::set_active(std::uint32_t source)
{
    if (source >= channels_->size()) return;
    active_is_chosen_ = true;
    if (source == active_) return;
    active_ = source;
    emit active_changed();
}

void Session::set_shown(std::uint32_t source, bool shown)
{
    if (source >= channels_->size() || (*channels_)[source].shown == shown) return;
    auto channels = *channels_;
    channels[source].shown = shown;
    change(std::move(channels));
    emit shown_changed();
}

void Session::set_style(std::uint32_t source, const ChannelStyle& style)
{
    if (source >= channels_->size() || (*channels_)[source].style == style) return;
    auto channels = *channels_;
    channels[source].style = style;
    change(std::move(channels));
    emit shown_changed();
}

void Session::set_offset(std::uint32_t source, Nanoseconds offset)
{
    if (source >= channels_->size() || (*channels_)[source].offset == offset) return;
    auto channels = *channels_;
    channels[source].offset = offset;
    change(std::move(channels));
    emit times_changed();
}

void Session::set_starts_aligned(bool aligned)
{
    aligned_is_chosen_ = true;
    if (aligned_ == aligned) return;
    aligned_ = aligned;
    change(*channels_);
    emit times_changed();
}

void Session::add_channels(std::size_t number, const std::shared_ptr<const Trace>& trace, const IndexedTimes& times)
{
    traces_[number].trace = trace;
    traces_[number].progress = times.progress;
    traces_[number].problem = times.problem;
    traces_[number].notes = times.notes;
    auto channels = *channels_;
    const bool first = channels.empty();
    auto place =
        std::find_if(channels.begin(), channels.end(), [=](const auto& each) { return each.trace_number >= number; });
    const auto after =
        std::find_if(place, channels.end(), [=](const auto& each) { return each.trace_number > number; });
    place = channels.erase(place, after);  // its first messages
    const auto& infos = trace->info().channels;
    for (std::uint32_t i = 0; i != infos.size(); ++i) {
        std::string note;
        const auto channel = viewed_channel(trace, i, note);
        place = std::next(channels.insert(place, {trace, i, number, channel, times.channels[i], {}, true, note, {}}));
    }
    const auto before = channels_;
    for (std::uint32_t i = 0; i != before->size(); ++i) {
        const auto& old = (*before)[i];
        if (old.shown && old.offset.count() == 0 && old.style == ChannelStyle()) continue;
        const auto now = place_of(*before, i, channels);
        if (!now) continue;
        channels[*now].shown = old.shown;
        channels[*now].offset = old.offset;
        channels[*now].style = old.style;
    }
    name_channels(channels);
    if (!aligned_is_chosen_ && !traces_[number].model_of) aligned_ = are_far_apart(channels);
    change(std::move(channels));
    const auto kept = !first && active_is_chosen_ ? place_of(*before, active_, *channels_) : std::nullopt;
    const auto active_before = std::exchange(active_, kept                 ? *kept
                                                      : channels_->empty() ? 0
                                                                           : default_channel(*channels_));
    if (infos.empty())
        traces_[number].problem =
            QStringLiteral("%1 has no channels").arg(QString::fromStdString(trace->info().file.string()));
    emit traces_changed();
    emit channels_changed();
    if (first || place_of(*before, active_before, *channels_) != active_) emit active_changed();
}

void Session::update_times(std::size_t number, const IndexedTimes& times)
{
    auto channels = *channels_;
    bool complete = true;
    for (auto& each : channels) {
        if (each.trace_number != number) continue;
        each.times = times.channels[each.in_trace];
        complete = complete && each.times->complete;
    }
    auto& trace = traces_[number];
    trace.progress = times.progress;
    trace.complete = complete;
    if (!times.problem.isEmpty()) trace.problem = times.problem;
    trace.notes = times.notes;
    change(std::move(channels));
    emit traces_changed();
    emit times_changed();
}

void Session::change(OpenChannels channels)
{
    align(channels);
    channels_ = std::make_shared<const OpenChannels>(std::move(channels));
}

/// The topic, with the file name if it is not unique. A topic may have megabytes: it is cut.
void Session::name_channels(OpenChannels& channels) const
{
    std::map<std::string_view, int> topics;
    for (const auto& each : channels) ++topics[each.channel->topic];
    for (auto& each : channels) {
        const auto& name = each.channel->topic.empty() ? each.channel->type_name : each.channel->topic;
        each.name = visible_text(name, shown_characters).toStdString();
        if (topics[each.channel->topic] > 1)
            each.name += " (" + traces_[each.trace_number].file.filename().string() + ")";
    }
}

void Session::align(OpenChannels& channels) const
{
    if (channels.empty()) return;
    const auto begin = base_time(channels);
    for (auto& each : channels) {
        const auto own = first_time(channels, each.trace_number).value_or(begin);
        const bool fits = distance(begin, own) <= static_cast<std::uint64_t>(Nanoseconds::max().count());
        each.shift = shifted(aligned_ && fits ? begin - own : Nanoseconds(0), each.offset);
    }
    for (auto& each : channels)
        if (const auto& input = traces_[each.trace_number].model_of)
            each.shift = shifted(shift_of(channels, *input), each.offset);
}

void refuse_unopened(const Session& session)
{
    for (const auto& trace : session.traces())
        if (!trace.whole) throw Error(Cause::io, trace.problem.toStdString());
}

}  // namespace ositrace::gui
