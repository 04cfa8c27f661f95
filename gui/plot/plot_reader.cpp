// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_reader.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/series.hpp>

#include "gui/session/open_channel.hpp"
#include "gui/text/quantity.hpp"
#include "lib/system/thread.hpp"

namespace ositrace::gui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto update_interval = std::chrono::milliseconds(100);

/// The curves of the paths of a series, with their gaps, in the times of the channel.
class RawCurves {
public:
    struct RawCurve {
        std::uint32_t path = 0;
        std::string keys;
        std::string text;
        Curve curve;
        std::uint64_t last = 0;  ///< message of the last value
        bool in_gap = false;
        std::uint64_t changes = 0;
    };

    /// `all_assumed`: see MessageTimes.
    explicit RawCurves(bool all_assumed) : all_assumed_(all_assumed) {}

    /// Another series goes on after the last message.
    void begin_series() { numbers_.clear(); }

    void add(SeriesBatch&& batch)
    {
        times_.clear();
        for (const auto& each : batch.times) {
            const auto number = clock_.count();
            auto time = clock_.next(each);
            if (number == 0) begin_ = time;
            times_.push_back(all_assumed_ ? assumed_time(begin_, number) : time);
        }
        for (auto& each : batch.new_curves) {
            const auto [known, is_new] = by_text_.try_emplace({each.path, each.text}, curves_.size());
            numbers_.push_back(known->second);
            if (is_new) curves_.push_back({each.path, std::move(each.keys), std::move(each.text), {}});
        }
        for (const auto& each : batch.samples) {
            auto& curve = curves_[numbers_[each.curve]];
            const auto message = batch.first + each.message;
            if (message != curve.last + 1) begin_gap(curve, batch.first);
            curve.curve.times.push_back(times_[each.message]);
            curve.curve.values.push_back(std::bit_cast<double>(each.bits));
            curve.last = message;
            curve.in_gap = false;
            ++curve.changes;
        }
        samples_ += batch.samples.size();
        const auto end = batch.first + batch.times.size();
        for (auto& each : curves_)
            if (each.last + 1 < end) begin_gap(each, batch.first);
        messages_ = end;
        if (!times_.empty()) batches_.emplace_back(batch.first, times_.front());
    }

    /// Forgets the samples before message `first`, but for those of a batch with it.
    void forget_before(std::uint64_t first)
    {
        auto kept = batches_.begin();
        while (kept != batches_.end() && kept + 1 != batches_.end() && (kept + 1)->first <= first) ++kept;
        if (kept == batches_.begin()) return;
        batches_.erase(batches_.begin(), kept);
        for (auto& each : curves_) {
            auto& [times, values] = each.curve;
            const auto gone = std::lower_bound(times.begin(), times.end(), batches_.front().second) - times.begin();
            if (gone == 0) continue;
            times.erase(times.begin(), times.begin() + gone);
            values.erase(values.begin(), values.begin() + gone);
            samples_ -= static_cast<std::size_t>(gone);
            ++each.changes;
        }
    }

    [[nodiscard]] const std::vector<RawCurve>& all() const noexcept { return curves_; }
    [[nodiscard]] std::size_t samples() const noexcept { return samples_; }
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    [[nodiscard]] bool has_assumed_times() const noexcept { return all_assumed_; }

private:
    /// At the message after its last value that was read: it is in the batch that begins with message `first`.
    void begin_gap(RawCurve& curve, std::uint64_t first)
    {
        if (curve.in_gap || curve.curve.times.empty()) return;
        curve.in_gap = true;
        ++curve.changes;
        curve.curve.times.push_back(times_[std::max(curve.last + 1, first) - first]);
        curve.curve.values.push_back(Curve::not_set);
        ++samples_;
    }

    bool all_assumed_;
    MessageClock clock_;
    Nanoseconds begin_{};
    std::vector<Nanoseconds> times_;                                        ///< of the batch at hand
    std::vector<RawCurve> curves_;                                          ///< in the order in which they were found
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> by_text_;  ///< by path and text: place in curves_
    std::vector<std::size_t> numbers_;                           ///< by curve of the series: place in curves_
    std::deque<std::pair<std::uint64_t, Nanoseconds>> batches_;  ///< the first message of each, and its time
    std::size_t samples_ = 0;
    std::uint64_t messages_ = 0;
};

/// The curves of one expression: those of its paths with the same elements belong together.
class ExpressionCurves {
public:
    /// `paths`: of the expression, by their place in the plan.
    ExpressionCurves(const CurveExpression& expression, std::vector<std::uint32_t> paths)
        : expression_(expression), paths_(std::move(paths))
    {
    }

    /// Derives what has changed since the last call. An element without what is needed has no curve.
    std::vector<PlotUpdate::NamedCurve> update(const RawCurves& raw)
    {
        for (; seen_ != raw.all().size(); ++seen_) add(raw.all()[seen_]);
        std::vector<PlotUpdate::NamedCurve> curves;
        for (auto& each : groups_) {
            refresh(each, raw);
            if (each.data) curves.push_back({each.name, each.data});
        }
        return curves;
    }

    /// The first needed path of the expression that no message has.
    [[nodiscard]] std::optional<std::string> missing_path(const RawCurves& raw) const
    {
        std::vector<const Curve*> curves;
        for (const auto path : paths_) {
            const auto found = std::ranges::find(raw.all(), path, &RawCurves::RawCurve::path);
            curves.push_back(found == raw.all().end() ? nullptr : &found->curve);
        }
        const auto missing = expression_.missing(curves);
        return missing ? std::optional(expression_.paths()[*missing]) : std::nullopt;
    }

private:
    static constexpr std::size_t none = SIZE_MAX;
    struct Group {
        std::string keys;
        std::string name;
        std::vector<std::size_t> curves;  ///< by path: place in RawCurves
        std::uint64_t changes = 0;        ///< of the curves when `data` was made
        std::shared_ptr<const PlotData> data;
    };

    void add(const RawCurves::RawCurve& raw)
    {
        const auto path = std::ranges::find(paths_, raw.path);
        if (path == paths_.end()) return;
        const auto place = static_cast<std::size_t>(path - paths_.begin());
        if (expression_.has_many() && raw.keys.empty()) {  // the same for all elements
            shared_.emplace_back(place, seen_);
            for (auto& each : groups_) each.curves[place] = seen_;
            return;
        }
        auto [known, is_new] = by_keys_.try_emplace(raw.keys, groups_.size());
        if (is_new) {
            auto& group = groups_.emplace_back();
            group.keys = raw.keys;
            group.name = expression_.is_path() ? raw.text : expression_.text_of(raw.keys);
            group.curves.resize(paths_.size(), none);
            for (const auto& [at, curve] : shared_) group.curves[at] = curve;
        }
        groups_[known->second].curves[place] = seen_;
    }

    void refresh(Group& group, const RawCurves& raw) const
    {
        std::uint64_t changes = 0;
        std::vector<const Curve*> curves;
        for (const auto each : group.curves) {
            curves.push_back(each == none ? nullptr : &raw.all()[each].curve);
            if (each != none) changes += raw.all()[each].changes;
        }
        if (expression_.missing(curves) || (changes == group.changes && group.data)) return;
        group.changes = changes;
        group.data = std::make_shared<const PlotData>(expression_.evaluate(curves));
    }

    const CurveExpression& expression_;
    std::vector<std::uint32_t> paths_;
    std::vector<Group> groups_;
    std::map<std::string, std::size_t> by_keys_;
    std::vector<std::pair<std::size_t, std::size_t>> shared_;  ///< path and curve
    std::size_t seen_ = 0;
};

/// What the first `count` messages of a channel are recognized by: the first and the last one. Empty: they cannot be
/// read.
std::optional<std::pair<std::size_t, std::size_t>> ends_of(const OpenChannel& channel, std::uint64_t count)
try {
    const auto hash_of = [&](std::uint64_t number) {
        const auto frame = channel.trace->frame(channel.in_trace, number);
        return std::hash<std::string_view>()(text_of(frame.bytes));
    };
    return std::pair(hash_of(0), hash_of(count - 1));
} catch (const Error&) {
    return std::nullopt;
}

/// Reads a request.
class PlotReading {
public:
    explicit PlotReading(const PlotRequest& request)
        : request_(request), owner_(request.channel.channel), raw_(request.channel.times->all_assumed)
    {
        for (const auto& each : request.expressions) {
            std::vector<std::uint32_t> places;
            for (const auto& path : each.paths()) {
                const auto known = std::ranges::find(paths_, path);
                places.push_back(static_cast<std::uint32_t>(known - paths_.begin()));
                if (known == paths_.end()) paths_.push_back(path);
            }
            expressions_.emplace_back(each, std::move(places));
        }
        plan_.emplace(*request.channel.channel->root, paths_);
    }

    /// Does the channel of the request, which was replaced, have the messages that were read, and perhaps more? An
    /// index may count messages in another order when more are added.
    [[nodiscard]] bool goes_on() const
    {
        const auto& now = request_.channel;
        const auto count = raw_.messages();
        return count != 0 && ends_of_read_ && &plan_->root() == now.channel->root &&
               !now.trace->info().container.index && raw_.has_assumed_times() == now.times->all_assumed &&
               ends_of(now, count) == ends_of_read_;
    }

    void run(const std::function<void(std::shared_ptr<const PlotUpdate>)>& publish, const std::stop_token& stop)
    {
        std::stop_source full;
        const std::stop_callback stopped(stop, [&] { full.request_stop(); });
        auto due = Clock::now() + update_interval;
        const auto on_batch = [&](SeriesBatch batch) {
            to_numbers(batch);
            raw_.add(std::move(batch));
            raw_.forget_before(request_.channel.trace->first_frame(request_.channel.in_trace));
            if (raw_.samples() > PlotReader::most_samples) full.request_stop();
            const auto begun = Clock::now();
            if (begun < due || full.stop_requested()) return;
            publish(update_now());
            // An update copies what has grown: it may use a tenth of the time.
            const auto ended = Clock::now();
            due = ended + std::max<Clock::duration>(update_interval, 10 * (ended - begun));
        };
        raw_.begin_series();
        fields_.clear();
        SeriesOptions options;
        options.first = raw_.messages();
        options.most_curves = PlotReader::most_curves * paths_.size();
        options.batch_time = update_interval / 2;
        options.by_log_time = log_times_are_osi_times(*request_.channel.trace, request_.channel.in_trace);
        const auto wait_for_more = [&](std::uint64_t next) {
            is_complete_ = true;
            const auto begun = Clock::now();
            publish(update_now());
            const auto moment = std::max<Clock::duration>(update_interval, 10 * (Clock::now() - begun));
            return wait_for_messages(request_.channel, next, full.get_token(), moment);
        };
        if (grows(request_.channel)) options.wait_for_more = wait_for_more;
        add(read_series(*request_.channel.trace, request_.channel.in_trace, *request_.channel.channel, *plan_, options,
                        on_batch, full.get_token()));
        if (stop.stop_requested()) return;
        is_complete_ = true;
        if (request_.is_followed && raw_.messages() != 0) ends_of_read_ = ends_of(request_.channel, raw_.messages());
        auto last = update_now();
        last->is_last = !request_.is_followed;
        last->problem = problem();
        publish(std::move(last));
    }

private:
    void to_numbers(SeriesBatch& batch)
    {
        for (const auto& each : batch.new_curves) fields_.push_back(&plan_->paths()[each.path].leaf());
        for (auto& each : batch.samples)
            each.bits = std::bit_cast<std::uint64_t>(series_number(*fields_[each.curve], each.bits));
    }

    std::shared_ptr<PlotUpdate> update_now()
    {
        auto update = std::make_shared<PlotUpdate>();
        for (auto& each : expressions_) update->curves.push_back(each.update(raw_));
        update->messages = raw_.messages();
        update->is_complete = is_complete_;
        if (!is_complete_) return update;
        for (const auto& each : expressions_) {
            const auto path = each.missing_path(raw_);
            update->missing.push_back(path ? PlotReader::tr("%1 is never set").arg(QString::fromStdString(*path))
                                           : QString());
        }
        return update;
    }

    /// The end of a series, after those before it.
    void add(const SeriesEnd& end)
    {
        end_.problem = end.problem;
        end_.stopped = end.stopped;
        end_.broken += end.broken;
        end_.left_out += end.left_out;
        if (!end_.first_broken) end_.first_broken = end.first_broken;
    }

    [[nodiscard]] QString problem() const
    {
        if (end_.problem) return QString::fromUtf8(end_.problem->what());
        if (end_.stopped)
            return PlotReader::tr("stopped after %1: more than %2 values. Plot fewer objects.")
                .arg(count_text(raw_.messages(), "message"))
                .arg(PlotReader::most_samples);
        if (end_.broken != 0)
            return PlotReader::tr("not read, and gaps: %1: %2")
                .arg(count_text(end_.broken, "message"), QString::fromUtf8(end_.first_broken->what()));
        if (end_.left_out != 0)
            return PlotReader::tr("left out: %1 of further objects, more than %2 curves")
                .arg(count_text(end_.left_out, "value"))
                .arg(PlotReader::most_curves);
        return {};
    }

    const PlotRequest& request_;
    std::shared_ptr<const Channel> owner_;  ///< of the schema of the plan
    std::vector<std::string> paths_;
    std::optional<SeriesPlan> plan_;
    std::vector<ExpressionCurves> expressions_;
    std::vector<const FieldRow*> fields_;  ///< by curve of the series
    RawCurves raw_;
    std::optional<std::pair<std::size_t, std::size_t>> ends_of_read_;  ///< see ends_of(), of what was read
    SeriesEnd end_;
    bool is_complete_ = false;  ///< all that there was has been read once
};

}  // namespace

PlotReader::PlotReader(PlotRequest request, QObject* parent)
    : QObject(parent),
      request_(std::move(request)),
      is_followed_(request_.is_followed),
      thread_([this](const std::stop_token& stop) { run(stop); })
{
}

PlotReader::~PlotReader()
{
    thread_.request_stop();
    thread_.join();
}

void PlotReader::retire(PlotReader* reader)
{
    disconnect(reader, nullptr, nullptr, nullptr);
    reader->is_retired_ = true;
    reader->thread_.request_stop();
    // Its thread posts this after all else.
    const std::lock_guard lock(reader->mutex_);
    if (reader->has_ended_) reader->deleteLater();
}

void PlotReader::run(const std::stop_token& stop)
{
    lower_thread_priority();
    try {
        std::optional<PlotReading> reading;
        do {
            if (!reading || !reading->goes_on()) reading.emplace(request_);
            reading->run([this](auto update) { publish(std::move(update)); }, stop);
        } while (request_.is_followed && is_replaced(stop));
    } catch (const std::exception& error) {  // out of memory
        auto update = std::make_shared<PlotUpdate>();
        update->curves.resize(request_.expressions.size());
        update->is_complete = update->is_last = true;
        update->problem = QString::fromUtf8(error.what());
        publish(std::move(update));
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (is_retired_) deleteLater();
        },
        Qt::QueuedConnection);
}

void PlotReader::follow(const OpenChannel& channel)
{
    {
        const std::lock_guard lock(mutex_);
        next_ = channel;
    }
    changed_.notify_all();
}

/// Waits for the next channel. False: a stop was requested.
bool PlotReader::is_replaced(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return next_.has_value(); })) return false;
    request_.channel = *std::exchange(next_, std::nullopt);
    return true;
}

/// Newer updates replace one that still waits.
void PlotReader::publish(std::shared_ptr<const PlotUpdate> update)
{
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(update_, std::move(update))) return;
    }
    QMetaObject::invokeMethod(this, &PlotReader::deliver, Qt::QueuedConnection);
}

void PlotReader::deliver()
{
    std::shared_ptr<const PlotUpdate> update;
    {
        const std::lock_guard lock(mutex_);
        update = std::exchange(update_, nullptr);
    }
    if (update && !is_retired_) emit updated(update);
}

}  // namespace ositrace::gui
