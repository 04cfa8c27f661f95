// SPDX-License-Identifier: MPL-2.0
#include "gui/viewer/viewer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <QStringList>

#include <ositrace/calendar_time.hpp>
#include <ositrace/network_address.hpp>
#include <ositrace/picture_between.hpp>

#include "gui/channels/channel_panel.hpp"
#include "gui/compare/comparison.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/remote/remote_file.hpp"
#include "gui/scene/scene_state.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

/// The message numbers from the index, without reading.
std::vector<std::optional<std::uint64_t>> known_numbers(const SnapshotRequest& request)
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

/// The note for an outdated file.
QString change_text(const OpenTrace& trace, bool is_followed)
{
    const auto name = QString::fromStdString(trace.file.filename().string());
    if (!trace.now && is_followed)
        return Viewer::tr("%1 was removed: nothing is followed until it is written again").arg(name);
    if (!trace.now) return Viewer::tr("%1 was removed after it was opened").arg(name);
    if (trace.has_grown())
        return Viewer::tr("%1 has grown since it was opened: F5 reloads it, Shift+F5 follows it").arg(name);
    return Viewer::tr("%1 was replaced since it was opened: F5 reloads it").arg(name);
}

/// Not a live source, and no pipe, which can be read only once.
bool is_checked_first(const std::filesystem::path& file)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    return file != "-" && !is_remote(file.string()) && !is_network_address(file.string()) && !is_fifo(status) &&
           !is_character_file(status);
}

constexpr auto settled_after = std::chrono::milliseconds(150);

bool is_exact(const OpenChannels& channels)
{
    for (const auto& each : channels)
        if (each.times->stride != 1) return false;
    return true;
}

}  // namespace

Viewer::Viewer(std::function<Nanoseconds()> clock, QObject* parent) : QObject(parent), playback_(std::move(clock))
{
    connect(&session_, &Session::channels_changed, this, &Viewer::update_channels);
    connect(&session_, &Session::times_changed, this, &Viewer::update_times);
    connect(&session_, &Session::shown_changed, this, [this] {
        request_snapshot(true);
        emit problems_changed();
    });
    connect(&session_, &Session::resumed, this, &Viewer::new_scene);
    connect(&session_, &Session::active_changed, this, [this] { playback_.set_active(session_.active()); });
    connect(&session_, &Session::traces_changed, this, &Viewer::problems_changed);
    connect(&playback_, &PlaybackController::time_changed, this, [this] {
        if (!seeking_) {  // a seek by the user
            pending_time_.reset();
            missed_time_.clear();
            show_time_to_model();
        }
        request_snapshot(false);
    });
    connect(&playback_, &PlaybackController::playing_changed, this,
            [this] { session_.set_looking_back(!playback_.live()); });
    sought_.setSingleShot(true);
    sought_.setInterval(settled_after);
    connect(&sought_, &QTimer::timeout, this, [this] { session_.show_time(playback_.time(), true); });
    connect(&frames_, &FrameService::ready, this, &Viewer::show_snapshot);
}

Viewer::~Viewer() { stop_remote_reads(); }

void Viewer::open(const std::vector<std::filesystem::path>& files, std::optional<MessageType> type)
{
    checker_ = {};  // of files that were to be opened before
    const bool can_check = std::ranges::all_of(files, &is_checked_first);
    if (session_.traces().empty() || files.empty() || !can_check) return open_now(files, type);
    checker_ = std::jthread([=, this](const std::stop_token& stop) {
        QStringList refused;
        for (const auto& each : files)
            if (const auto why = why_not_opened(each, type, stop); !why.isEmpty()) refused += why;
        if (stop.stop_requested()) return;
        const bool none_opens = static_cast<std::size_t>(refused.size()) == files.size();
        QMetaObject::invokeMethod(
            this,
            [=, this] {
                if (stop.stop_requested()) return;
                if (none_opens) return emit open_refused(refused.join(QLatin1Char('\n')));
                open_now(files, type);
            },
            Qt::QueuedConnection);
    });
}

void Viewer::open_now(const std::vector<std::filesystem::path>& files, std::optional<MessageType> type)
{
    pending_time_ = "+0";  // the start, which is known when all files are open
    out_of_reach_.clear();
    missed_time_.clear();
    if (!session_.traces().empty()) session_.close_all();
    selection_.clear();
    for (const auto& each : files) session_.open(each, type);
    go_live_with_new_sources(false);
}

void Viewer::open_additional(const std::vector<std::filesystem::path>& files)
{
    const bool was_live = session_.is_live();
    for (const auto& each : files) session_.open(each);
    go_live_with_new_sources(was_live);
}

void Viewer::go_live_with_new_sources(bool was_live)
{
    playback_.set_grows(session_.grows());
    if (was_live || !session_.is_live()) return;
    go_live();
}

void Viewer::go_live()
{
    pending_time_.reset();
    playback_.go_live();
}

void Viewer::run_model(const ModelChoice& choice, std::size_t input)
{
    session_.run_model(choice, input,
                       choice.record || !playback_.can_play() ? std::nullopt : std::optional(playback_.time()));
    session_.show_time(playback_.time(), false);
}

void Viewer::show_time_to_model()
{
    if (!session_.has_model()) return;
    if (playback_.playing())
        session_.show_time(playback_.time(), false);
    else
        sought_.start();
}

bool Viewer::go_to(const std::string& typed)
{
    const auto zero = Nanoseconds(0);  // calendar times need the trace's zero time, known later
    if (!parse_time(typed, {{}, zero})) return false;
    pending_time_ = typed;
    out_of_reach_.clear();
    missed_time_.clear();
    seek_pending();
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

QStringList Viewer::session_problems() const
{
    QStringList lines;
    if (is_out_of_reach())
        lines += tr("'%1' cannot be shown: this trace has no calendar time").arg(QString::fromStdString(out_of_reach_));
    if (!missed_time_.isEmpty()) lines += missed_time_;
    for (const auto& each : session_.traces()) {
        if (!each.is_outdated()) lines += each.notes;
        if (each.is_outdated())
            lines += change_text(each, session_.follows());
        else if (!each.problem.isEmpty())
            lines += each.problem;
        else if (!each.is_file() && !each.is_well)
            lines += QStringLiteral("%1: %2").arg(QString::fromStdString(each.file.string()), each.state);
    }
    for (const auto& each : *session_.channels()) {
        if (!each.shown)
            lines += tr("%1 is hidden: its box in Channels is not checked").arg(QString::fromStdString(each.name));
        if (each.times->all_assumed) {
            const auto what = each.times->backward == 0
                                  ? tr("all %1 messages have the same time").arg(each.times->count)
                                  : tr("no message has a later time than the first one");
            lines += tr("%1: %2, one every 0.1 s is assumed").arg(QString::fromStdString(each.name), what);
        }
        if (each.offset.count() != 0)
            lines += tr("%1 is shifted by %2 (Compare)")
                         .arg(QString::fromStdString(each.name), milliseconds_text(each.offset));
        if (!each.note.empty() && !session_.traces()[each.trace_number].is_file())
            lines += QString::fromStdString(each.name + ": " + each.note);
        if (!each.channel->unviewable.empty())
            lines += QString::fromStdString(each.name + ": " + each.channel->unviewable);
        if (each.times->without_time != 0)
            lines += tr("%1: %2 no time, one every 0.1 s is assumed")
                         .arg(QString::fromStdString(each.name),
                              count_text(each.times->without_time, "message") +
                                  (each.times->without_time == 1 ? tr(" has") : tr(" have")));
        if (each.times->backward != 0 && !each.times->all_assumed) {
            const auto often = each.times->backward == 1 ? tr("once") : tr("%1 times").arg(each.times->backward);
            const auto which = each.times->overtaken == 1
                                   ? tr(" has an earlier time than a message before it; step to reach it")
                                   : tr(" have an earlier time than a message before them; step to reach them");
            lines += tr("%1: time goes backward %2: %3")
                         .arg(QString::fromStdString(each.name), often,
                              count_text(each.times->overtaken, "message") + which);
        }
    }
    if (session_.starts_aligned()) lines += tr("the traces have different times and are aligned to start together");
    return lines;
}

std::vector<bool> Viewer::outdated() const
{
    std::vector<bool> outdated;
    for (const auto& each : *session_.channels())
        outdated.push_back(session_.traces()[each.trace_number].is_outdated());
    return outdated;
}

QStringList snapshot_problems(const Snapshot& snapshot, const OpenChannels& channels, const std::vector<bool>& outdated)
{
    QStringList lines;
    for (std::size_t i = 0; i != snapshot.channels.size(); ++i) {
        const auto& each = snapshot.channels[i];
        // The index of an outdated file does not match its content: its errors are meaningless.
        if (!each.problem.empty() && !outdated[i]) lines += QString::fromStdString(each.problem);
        if (each.is_past) lines += silence_text(channels[i], each.number);
    }
    return lines;
}

namespace {

/// Null if other messages are compared than the scene shows, or too many objects.
const ObjectComparison* compared_objects(const Snapshot& snapshot)
{
    const auto* const comparison = snapshot.comparison.get();
    if (comparison == nullptr || !comparison->objects || comparison->is_shown != std::array{true, true}) return nullptr;
    constexpr std::size_t most = 2000;
    const auto& objects = *comparison->objects;
    return objects.pairs.size() + objects.missed.size() + objects.ghosts.size() > most ? nullptr : &objects;
}

}  // namespace

/// The things are found by their paths. Linear in the things of the two channels.
std::vector<ThingTint> tints_of(const Snapshot& snapshot)
{
    const auto* const objects = compared_objects(snapshot);
    if (objects == nullptr) return {};
    const auto& sides = snapshot.comparison->choice.sides;
    std::array<std::unordered_map<std::string, Look>, 2> looks;
    if (sides[1].set == ObjectSet::detections)
        for (const auto& pair : objects->pairs) looks[1].emplace(objects->path_of(1, pair.b), Look::palette_green);
    if (sides[0].set == ObjectSet::detections)
        for (const auto& pair : objects->pairs) looks[0].emplace(objects->path_of(0, pair.a), Look::palette_green);
    for (const auto& missed : objects->missed) looks[0].emplace(objects->path_of(0, missed), Look::palette_orange);
    for (const auto& ghost : objects->ghosts) looks[1].emplace(objects->path_of(1, ghost), Look::palette_red);
    std::vector<ThingTint> tints;
    for (const auto& layer : snapshot.picture->layers) {
        for (const auto& thing : layer->things) {
            for (std::size_t side = 0; side != 2; ++side) {
                if (thing.key.source != sides[side].source || looks[side].empty()) continue;
                const auto found = looks[side].find(thing.path);
                if (found != looks[side].end()) tints.push_back({thing.key, found->second});
            }
        }
    }
    // Of a thing that is on both sides the first one.
    std::ranges::stable_sort(tints, {}, &ThingTint::key);
    const auto same = std::ranges::unique(tints, {}, &ThingTint::key);
    tints.erase(same.begin(), same.end());
    return tints;
}

std::vector<SceneMark> marks_of(const Snapshot& snapshot)
{
    const auto* const compared = compared_objects(snapshot);
    if (compared == nullptr) return {};
    const auto& objects = *compared;
    std::vector<SceneMark> marks;
    for (const auto& pair : objects.pairs) marks.push_back({SceneMark::Kind::pair, pair.a.position, pair.b.position});
    for (const auto& missed : objects.missed) marks.push_back({SceneMark::Kind::missed, missed.position, {}});
    for (const auto& ghost : objects.ghosts) marks.push_back({SceneMark::Kind::ghost, ghost.position, {}});
    return marks;
}

QStringList Viewer::problems() const
{
    auto lines = session_problems();
    const auto& channels = *session_.channels();
    if (snapshot_ && snapshot_->channels.size() == channels.size())
        lines += snapshot_problems(*snapshot_, channels, outdated());
    return lines;
}

std::optional<std::uint64_t> Viewer::shown_number() const
{
    if (!snapshot_ || session_.active() >= snapshot_->channels.size()) return std::nullopt;
    const auto& shown = snapshot_->channels[session_.active()];
    return shown.frame || !shown.problem.empty() ? std::optional(shown.number) : std::nullopt;
}

void Viewer::compare(std::shared_ptr<const CompareChoice> choice)
{
    const bool is_same = choice == compared_ || (choice && compared_ && *choice == *compared_);
    if (is_same) return;
    compared_ = std::move(choice);
    request_snapshot(true);
}

bool Viewer::shows_new_trace(const OpenChannels& before) const
{
    std::vector<bool> is_known(channels_->size());
    for (std::uint32_t i = 0; i != before.size(); ++i) {
        const auto now = place_of(before, i, *channels_);
        if (!now) continue;
        const auto& channel = (*channels_)[*now];
        const bool began_again = session_.traces()[channel.trace_number].is_live && before[i].trace != channel.trace;
        is_known[*now] = !began_again;
    }
    for (std::size_t i = 0; i != channels_->size(); ++i)
        if (!is_known[i] && !session_.traces()[(*channels_)[i].trace_number].model_of) return true;
    return false;
}

void Viewer::update_channels()
{
    compared_.reset();
    frames_.forget();
    requested_key_.clear();
    shown_generation_ = generation_;
    anew_generation_ = generation_ + 1;
    const auto before = std::exchange(channels_, session_.channels());
    if (shows_new_trace(*before)) emit new_scene();
    const auto& selected = selection_.current();  // which refers to its channel by its index
    if (selected &&
        (selected->source >= before->size() || place_of(*before, selected->source, *channels_) != selected->source))
        selection_.clear();
    if (snapshot_ && session_.channels()->size() != snapshot_->channels.size()) {
        snapshot_.reset();
        emit snapshot_changed();
    }
    update_times();
}

void Viewer::update_times()
{
    seeking_ = true;
    playback_.set_grows(session_.grows());
    playback_.set_channels(session_.channels(), session_.active(), session_.is_complete() && !session_.grows());
    seeking_ = false;
    seek_pending();
    if (snapshot_ && snapshot_->comparison && !snapshot_->comparison->is_final) request_snapshot(true);
    emit problems_changed();
}

void Viewer::seek_pending()
{
    if (!pending_time_ || !playback_.can_play()) return;
    const auto where = parse_time(*pending_time_, {*playback_.extent(), zero_time()});
    const bool complete = session_.is_complete();
    if (!where) {
        if (complete)
            out_of_reach_ = *std::exchange(pending_time_, std::nullopt);  // only now: the zero time may be known late
        return;
    }
    seeking_ = true;
    const bool opened = session_.all_opened();  // until then the time axis and the active channel may change
    bool reached = complete;
    if (const auto* const time = std::get_if<Nanoseconds>(&*where)) {
        const auto extent = *playback_.extent();
        if (complete && (*time < extent.from || *time > extent.to))
            missed_time_ =
                *time < extent.from
                    ? tr("%1 is before the start: the first message is shown")
                          .arg(QString::fromStdString(*pending_time_))
                    : tr("%1 is after the end: the last message is shown").arg(QString::fromStdString(*pending_time_));
        const bool from_end = pending_time_->starts_with('-');
        reached = reached || (opened && !from_end && *time < playback_.extent()->to);
        playback_.seek(*time);
    } else {
        const auto number = std::get<std::uint64_t>(*where);
        const auto& channels = *session_.channels();
        const auto count = session_.active() < channels.size() ? channels[session_.active()].times->count : 0;
        if (complete && number >= count)
            missed_time_ = tr("there is no message %1: the last one is %2").arg(number).arg(count == 0 ? 0 : count - 1);
        reached = reached || (opened && number < count);
        playback_.go_to_message(number);
    }
    seeking_ = false;
    if (reached) pending_time_.reset();
}

SnapshotRequest Viewer::request_now() const
{
    return {.channels = session_.channels(),
            .time = playback_.time(),
            .pinned = playback_.pinned(),
            .generation = generation_ + 1,
            .compared = compared_,
            .trail = trail_,
            .with_next = interpolates_ && playback_.playing(),
            .direction = playback_.playing() ? 1 : 0};
}

void Viewer::request_snapshot(bool anew)
{
    auto request = request_now();
    if (request.channels->empty()) return;
    auto key = key_of(request, known_numbers(request));
    auto shifts = shifts_of(*request.channels);
    anew = anew || shifts != requested_shifts_;
    const bool same =
        !anew && key == requested_key_ && (request.time == requested_time_ || is_exact(*request.channels));
    const bool is_shown = snapshot_ && shown_generation_ >= anew_generation_ && snapshot_->key == key;
    requested_time_ = request.time;
    requested_key_ = std::move(key);
    requested_shifts_ = std::move(shifts);
    if (!anew && is_shown) {  // drops requests made meanwhile
        frames_.forget();
        shown_generation_ = generation_;
    }
    if (same || (!anew && is_shown)) return show_time();
    ++generation_;
    if (anew) anew_generation_ = generation_;
    frames_.request(std::move(request));
}

void Viewer::set_trail(Nanoseconds length)
{
    if (length == trail_) return;
    trail_ = length;
    request_snapshot(true);
}

void Viewer::set_interpolates(bool on)
{
    if (interpolates_ == on) return;
    interpolates_ = on;
    request_snapshot(true);
}

std::shared_ptr<const Picture> Viewer::shown_picture() const
{
    if (!snapshot_) return nullptr;
    const auto& next = snapshot_->next;
    if (!interpolates_ || !playback_.playing() || !next) return snapshot_->picture;
    const double share = static_cast<double>((shown_time_ - next->since).count()) /
                         static_cast<double>((next->time - next->since).count());
    return picture_between(*snapshot_->picture, *next->picture, std::clamp(share, 0.0, 1.0));
}

void Viewer::show_time()
{
    if (!is_settled()) return;
    shown_time_ = requested_time_;
    playback_.shown(shown_time_);
    emit time_shown();
}

void Viewer::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    if (snapshot->channels.size() != session_.channels()->size()) return;
    snapshot_ = snapshot;
    shown_generation_ = snapshot->generation;
    shown_time_ = is_settled() ? requested_time_ : snapshot->time;
    playback_.shown(shown_time_);
    selection_.follow(*snapshot->picture);
    emit snapshot_changed();
    emit problems_changed();
}

}  // namespace ositrace::gui
