// SPDX-License-Identifier: MPL-2.0
#include "gui/states/state_reader.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gui/session/open_channel.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

StateUpdate StateRuns::add(SeriesBatch batch)
{
    StateUpdate update;
    update.curves = std::move(batch.new_curves);
    update.texts = std::move(batch.new_texts);
    update.messages = batch.first + batch.times.size();
    open_.resize(open_.size() + update.curves.size());
    const auto deliver = [&](std::uint32_t curve) {
        auto& open = open_[curve];
        if (std::exchange(open.is_changed, false)) update.runs.push_back({curve, *open.run});
    };
    for (const auto& sample : batch.samples) {
        const auto message = batch.first + sample.message;
        auto& open = open_[sample.curve];
        if (open.run && open.run->last + 1 == message && open.run->bits == sample.bits) {
            open.run->last = message;
            open.is_changed = true;
            continue;
        }
        deliver(sample.curve);
        if (is_full()) continue;
        ++count_;
        open = {StateRun{message, message, sample.bits}, true};
    }
    for (std::uint32_t curve = 0; curve != open_.size(); ++curve) deliver(curve);
    return update;
}

namespace {

/// A colour that a lamp has even if it is off, and the field that says so.
struct LampRow {
    std::string_view message;  ///< end of its name
    std::string_view colour, mode, off;
};
constexpr LampRow lamp{"TrafficLight.Classification", "color", "mode", "MODE_OFF"};

/// Reads the modes of lamps as well, and puts them into the values of the colours.
class LampColours {
public:
    explicit LampColours(const SeriesPlan& plan) : visible_(plan.paths().size())
    {
        std::vector<std::string> paths;
        for (const auto& each : plan.paths()) paths.push_back(each.text());
        for (std::uint32_t i = 0; i != visible_; ++i) {
            const auto& steps = plan.paths()[i].steps();
            const auto& field = *steps.back().field;
            const auto* const message = steps.size() < 2 ? nullptr : steps[steps.size() - 2].field->child;
            if (message == nullptr || !message->full_name.ends_with(lamp.message) || field.name != lamp.colour)
                continue;
            const auto* const mode_field = message->find(lamp.mode);
            const bool are_enums =
                field.enumeration != nullptr && mode_field != nullptr && mode_field->enumeration != nullptr;
            if (!are_enums) continue;
            auto mode = paths[i].substr(0, paths[i].rfind('.') + 1).append(lamp.mode);
            paths.push_back(std::move(mode));
            colours_of_modes_.push_back(i);
        }
        plan_.emplace(plan.root(), paths);
        for (auto path = visible_; path != paths.size(); ++path) {
            const auto& values = plan_->paths()[path].leaf().enumeration->values;
            const auto off = std::ranges::find(values, lamp.off, &EnumTable::Value::name);
            off_.push_back(off == values.end() ? std::nullopt : std::optional(std::int64_t{off->number}));
        }
    }

    [[nodiscard]] const SeriesPlan& plan() const noexcept { return *plan_; }

    /// What the visible paths say.
    SeriesBatch merged(SeriesBatch batch)
    {
        if (colours_of_modes_.empty()) return batch;
        add_curves(batch);
        std::vector<SeriesSample> samples;
        for (auto begin = batch.samples.begin(); begin != batch.samples.end();) {
            const auto is_next = [&](const SeriesSample& each) { return each.message != begin->message; };
            const auto end = std::find_if(begin, batch.samples.end(), is_next);
            const auto number = batch.first + begin->message + 1;
            for (auto each = begin; each != end; ++each) note_mode(*each, number);
            for (; begin != end; ++begin) {
                const auto& curve = curves_[begin->curve];
                if (curve.path >= visible_) continue;
                samples.push_back(
                    {curve.visible, begin->message, curve.off_at == number ? with_lamp_off(begin->bits) : begin->bits});
            }
        }
        batch.samples = std::move(samples);
        return batch;
    }

private:
    struct LampCurve {
        std::uint32_t path = 0;
        std::uint32_t visible = 0;  ///< its number among the curves of visible paths
        std::string keys;
        std::uint64_t off_at = 0;             ///< number of the last message in which the lamp is off, from 1
        std::optional<std::uint32_t> colour;  ///< of a mode: the curve of the colour
    };

    void add_curves(SeriesBatch& batch)
    {
        std::vector<SeriesCurve> shown;
        for (auto& each : batch.new_curves) {
            const auto place = static_cast<std::uint32_t>(curves_.size());
            const bool is_shown = each.path < visible_;
            curves_.push_back({each.path, count_, each.keys, 0, {}});
            if (!is_shown) continue;
            ++count_;
            by_keys_.emplace(std::pair(each.path, each.keys), place);
            shown.push_back(std::move(each));
        }
        batch.new_curves = std::move(shown);
    }

    void note_mode(const SeriesSample& sample, std::uint64_t number)
    {
        auto& curve = curves_[sample.curve];
        if (curve.path < visible_) return;
        const auto mode = curve.path - visible_;
        if (static_cast<std::int64_t>(sample.bits) != off_[mode]) return;
        if (!curve.colour) {
            const auto found = by_keys_.find({colours_of_modes_[mode], curve.keys});
            if (found == by_keys_.end()) return;
            curve.colour = found->second;
        }
        curves_[*curve.colour].off_at = number;
    }

    std::size_t visible_;                          ///< paths; after them the modes
    std::vector<std::uint32_t> colours_of_modes_;  ///< by mode: the path of its colour
    std::vector<std::optional<std::int64_t>> off_;
    std::optional<SeriesPlan> plan_;
    std::vector<LampCurve> curves_;
    std::uint32_t count_ = 0;  ///< of visible ones
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> by_keys_;
};

}  // namespace

void StateReader::start(OpenChannel channel, SeriesPlan plan)
{
    thread_.start([this, channel = std::move(channel), plan = std::move(plan)](
                      const LatestThread::Post& post, const std::stop_token& stop) { run(channel, plan, post, stop); });
}

void StateReader::run(const OpenChannel& channel, const SeriesPlan& plan, const LatestThread::Post& post,
                      const std::stop_token& stop)
{
    StateRuns runs;
    LampColours colours(plan);
    std::stop_source ended;
    const std::stop_callback stopped(stop, [&] { ended.request_stop(); });
    QString problem;
    try {
        const auto report = [&](SeriesBatch batch) {
            const auto update = std::make_shared<const StateUpdate>(runs.add(colours.merged(std::move(batch))));
            post([this, update] { emit updated(update); });
            if (runs.is_full()) ended.request_stop();
        };
        SeriesOptions options;
        const auto wait_for_more = [&](std::uint64_t next) {
            post([this] { emit finished({}); });
            return wait_for_messages(channel, next, ended.get_token());
        };
        if (grows(channel)) options.wait_for_more = wait_for_more;
        const auto end = read_series(*channel.trace, channel.in_trace, *channel.channel, colours.plan(), options,
                                     report, ended.get_token());
        if (end.broken != 0)
            problem = tr("%1 could not be read: %2")
                          .arg(count_text(end.broken, "message"), QString::fromUtf8(end.first_broken->what()));
        if (end.left_out != 0)
            problem = tr("left out: %1, as there are too many rows").arg(count_text(end.left_out, "value"));
        if (runs.is_full()) problem = tr("only the first %1 are shown").arg(count_text(StateRuns::most_runs, "change"));
        if (end.problem) problem = QString::fromUtf8(end.problem->what());
    } catch (const std::exception& error) {  // out of memory
        problem = QString::fromUtf8(error.what());
    }
    post([this, problem] { emit finished(problem); });
}

}  // namespace ositrace::gui
