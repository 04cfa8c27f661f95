// SPDX-License-Identifier: MPL-2.0
#include <ositrace/series.hpp>

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include <ositrace/columns.hpp>
#include <ositrace/element_name.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/view/element_id.hpp"

namespace ositrace {

namespace {

using Clock = std::chrono::steady_clock;
using Step = FieldPath::Step;
using Pick = FieldPath::Pick;

/// Which element a `[*]` stands for.
struct ElementKey {
    bool is_id = false;
    std::uint64_t number = 0;  ///< id or index
    friend auto operator<=>(const ElementKey&, const ElementKey&) = default;
};

ElementKey key_of(const MessageView& element, const std::optional<IdFields>& ids, std::uint64_t index)
{
    const auto id = ids ? id_of(element, *ids) : std::nullopt;
    return id ? ElementKey{true, *id} : ElementKey{false, index};
}

std::uint64_t bits_of(const Value& value)
{
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    if (const auto* const number = std::get_if<std::int64_t>(&value)) return static_cast<std::uint64_t>(*number);
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) return *number;
    return std::bit_cast<std::uint64_t>(as_real(value).value_or(std::numeric_limits<double>::quiet_NaN()));
}

std::string key_text(const ElementKey& key) { return (key.is_id ? "[id=" : "[") + std::to_string(key.number) + ']'; }

/// The path with an element in the place of each `[*]`.
std::string text_of(const FieldPath& path, std::span<const ElementKey> keys)
{
    std::string text;
    std::size_t next = 0;
    for (const auto& step : path.steps()) {
        if (!text.empty()) text += '.';
        text += step.field->name;
        text += step.pick == Pick::every ? key_text(keys[next++]) : pick_text(step);
    }
    return text;
}

std::string keys_text(std::span<const ElementKey> keys)
{
    std::string text;
    for (const auto& each : keys) text += key_text(each);
    return text;
}

/// Of the first element that is not singular.
std::optional<std::uint64_t> first_id(const FieldPath& path, std::span<const ElementKey> keys)
{
    for (const auto& step : path.steps()) {
        if (step.pick == Pick::id) return step.argument;
        if (step.pick == Pick::every) return keys.front().is_id ? std::optional(keys.front().number) : std::nullopt;
    }
    return std::nullopt;
}

/// The batch being filled, and the curves and texts of all batches.
class Output {
public:
    Output(const SeriesPlan& plan, const SeriesOptions& options) : plan_(plan), options_(options) {}

    void begin_message(std::uint64_t number, std::optional<Nanoseconds> time)
    {
        if (batch_.times.empty()) batch_.first = number;
        message_ = static_cast<std::uint32_t>(batch_.times.size());
        batch_.times.push_back(time);
        ++messages_;
    }

    /// The number of the curve with these keys; empty beyond the limit.
    std::optional<std::uint32_t> curve(std::uint32_t path, std::span<const ElementKey> keys)
    {
        key_.assign(keys.begin(), keys.end());
        auto& curves = curves_[path];
        if (const auto known = curves.find(key_); known != curves.end()) return known->second;
        if (last_message_.size() >= options_.most_curves) return std::nullopt;
        const auto number = static_cast<std::uint32_t>(last_message_.size());
        curves.emplace(key_, number);
        last_message_.push_back(0);
        const auto& compiled = plan_.paths()[path];
        batch_.new_curves.push_back({path, text_of(compiled, keys), keys_text(keys), first_id(compiled, keys)});
        return number;
    }

    void add(std::optional<std::uint32_t> curve, std::uint64_t bits)
    {
        if (!curve) return ++left_out_, void();
        if (std::exchange(last_message_[*curve], messages_) == messages_) return;  // an id that occurs again
        batch_.samples.push_back({*curve, message_, bits});
    }

    /// Of a text: its number. Empty beyond the limit.
    std::optional<std::uint64_t> number_of(std::string_view text)
    {
        if (const auto known = texts_.find(text); known != texts_.end()) return known->second;
        if (text.size() + kept_text_cost > options_.most_text_bytes - text_bytes_) return ++left_out_, std::nullopt;
        text_bytes_ += text.size() + kept_text_cost;
        const std::uint64_t number = texts_.size();
        texts_.emplace(kept_texts_.emplace_back(text), number);
        batch_.new_texts.emplace_back(text);
        return number;
    }

    /// Samples so far; those after a mark are dropped when what they are part of is broken.
    [[nodiscard]] std::size_t mark() const noexcept { return batch_.samples.size(); }
    void drop_from(std::size_t mark) { batch_.samples.resize(mark); }

    [[nodiscard]] bool is_full() const noexcept
    {
        return batch_.samples.size() >= options_.batch_samples || batch_.times.size() >= options_.batch_samples;
    }
    [[nodiscard]] bool is_empty() const noexcept { return batch_.times.empty(); }
    [[nodiscard]] SeriesBatch take() { return std::exchange(batch_, {}); }
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

private:
    static constexpr std::size_t kept_text_cost = 64;  // of the string and its place in the table

    const SeriesPlan& plan_;
    const SeriesOptions& options_;
    SeriesBatch batch_;
    std::uint32_t message_ = 0;
    std::uint64_t messages_ = 0;
    std::map<std::uint32_t, std::map<std::vector<ElementKey>, std::uint32_t>> curves_;  ///< by path
    std::vector<ElementKey> key_;
    std::vector<std::uint64_t> last_message_;  ///< by curve: messages_ at its last sample
    std::deque<std::string> kept_texts_;
    std::unordered_map<std::string_view, std::uint64_t> texts_;
    std::size_t text_bytes_ = 0;
    std::uint64_t left_out_ = 0;
};

/// Reads one path, whatever its form, through MessageView.
class PathWalk {
public:
    PathWalk(const SeriesPlan& plan, std::uint32_t path) : steps_(plan.paths()[path].steps()), path_(path) {}

    void read(const MessageView& root, Output& output)
    {
        keys_.clear();
        walk(root, 0, output);
    }

private:
    void walk(const MessageView& message, std::size_t place, Output& output)
    {
        const auto& step = steps_[place];
        if (step.pick == Pick::singular) return take(message.get(*step.field), place, output);
        const auto ids = step.field->child == nullptr ? std::nullopt : id_fields(*step.field->child);
        const auto names = step.pick == Pick::name ? name_fields(*step.field->child) : std::nullopt;
        std::uint64_t index = 0;
        message.for_each_element(*step.field, [&](const Value& value) {
            const auto* const element = std::get_if<MessageView>(&value);
            if (step.pick == Pick::index) {
                if (index++ != step.argument) return true;
                take(value, place, output);
                return false;
            }
            if (step.pick == Pick::id) {
                if (!ids || id_of(*element, *ids) != step.argument) return true;
                take(value, place, output);
                return false;
            }
            if (names) {
                if (name_of(*element, *names) != step.name) return true;
                take(value, place, output);
                return false;
            }
            keys_.push_back(element == nullptr ? ElementKey{false, index} : key_of(*element, ids, index));
            ++index;
            take(value, place, output);
            keys_.pop_back();
            return true;
        });
    }

    void take(const Value& value, std::size_t place, Output& output)
    {
        if (const auto* const message = std::get_if<MessageView>(&value)) return walk(*message, place + 1, output);
        if (std::holds_alternative<std::monostate>(value)) return;
        const auto* const text = std::get_if<std::string_view>(&value);
        const auto bits = text == nullptr ? bits_of(value) : output.number_of(*text);
        if (bits) output.add(output.curve(path_, keys_), *bits);
    }

    const std::vector<Step>& steps_;
    std::uint32_t path_;
    std::vector<ElementKey> keys_;
};

/// The numbers of the elements of one repeated field, of several paths at once: the usual case, read as columns.
class ElementWalk {
public:
    static constexpr std::size_t most_paths = ColumnReader::max_leaves - 2;  // besides the id and its value
    /// Of a larger message the columns could be much larger than its bytes.
    static constexpr std::size_t most_bytes = std::size_t{4} << 20;

    /// The place of the step that picks the elements; empty for a path of another form.
    static std::optional<std::size_t> elements_of(const FieldPath& path)
    {
        const auto& steps = path.steps();
        const auto picked = std::ranges::find_if(steps, [](const Step& step) { return step.pick != Pick::singular; });
        const auto is_singular = [](const Step& step) { return step.pick == Pick::singular; };
        if (picked == steps.end() || picked + 1 == steps.end() ||
            (picked->pick != Pick::every && picked->pick != Pick::id) ||
            !std::all_of(picked + 1, steps.end(), is_singular) || !is_scalar(path.leaf().kind))
            return std::nullopt;
        return static_cast<std::size_t>(picked - steps.begin());
    }

    ElementWalk(const SeriesPlan& plan, std::size_t place, std::vector<std::uint32_t> paths)
        : steps_(plan.paths()[paths.front()].steps().begin(),
                 plan.paths()[paths.front()].steps().begin() + static_cast<std::ptrdiff_t>(place)),
          elements_(plan.paths()[paths.front()].steps()[place].field),
          ids_(id_fields(*elements_->child))
    {
        if (ids_) {
            const auto number = id_path(*elements_->child);
            constexpr std::string_view value = ".value";
            if (ids_->value != nullptr) names_.emplace_back(number.substr(0, number.size() - value.size()));
            names_.emplace_back(number);
        }
        for (const auto path : paths) {
            const auto& steps = plan.paths()[path].steps();
            std::string name;
            for (auto step = steps.begin() + static_cast<std::ptrdiff_t>(place) + 1; step != steps.end(); ++step)
                name.append(name.empty() ? "" : ".").append(step->field->name);
            const auto known = std::ranges::find(names_, name);
            const auto& pick = steps[place];
            paths_.push_back({path,
                              static_cast<std::size_t>(known - names_.begin()),
                              is_real(steps.back().field->kind),
                              pick.pick == Pick::id ? std::optional(pick.argument) : std::nullopt,
                              {},
                              {}});
            if (known == names_.end()) names_.push_back(std::move(name));
        }
        const std::vector<std::string_view> leaves(names_.begin(), names_.end());
        reader_.emplace(*elements_, leaves);
    }

    void read(const MessageView& root, Output& output)
    {
        auto parent = root;
        for (const auto& step : steps_) {
            const auto value = parent.get(*step.field);
            const auto* const next = std::get_if<MessageView>(&value);
            if (next == nullptr) return;
            parent = MessageView(*next);
        }
        reader_->read(parent);
        read_keys();
        for (auto& path : paths_) path.id ? add_one(path, output) : add_all(path, output);
    }

private:
    struct Path {
        std::uint32_t path = 0;
        std::size_t column = 0;
        bool real = false;
        std::optional<std::uint64_t> id;  ///< of the only element that is wanted
        /// The element in each row when it was last looked up: objects mostly keep their places.
        std::vector<ElementKey> known_keys;
        std::vector<std::optional<std::uint32_t>> known_curves;
    };

    void read_keys()
    {
        keys_.clear();
        const auto rows = reader_->rows();
        const std::size_t number = ids_ && ids_->value != nullptr ? 1 : 0;
        const auto numbers = ids_ ? reader_->integers(number) : std::span<const std::uint64_t>();
        for (std::size_t row = 0; row != rows; ++row) {
            const bool has_id = ids_ && reader_->has(0, row);
            keys_.push_back(has_id ? ElementKey{true, numbers[row]} : ElementKey{false, row});
        }
    }

    [[nodiscard]] std::uint64_t bits(const Path& path, std::size_t row) const
    {
        return path.real ? std::bit_cast<std::uint64_t>(reader_->reals(path.column)[row])
                         : reader_->integers(path.column)[row];
    }

    void add_one(Path& path, Output& output)
    {
        const auto found = std::ranges::find(keys_, ElementKey{true, *path.id});
        const auto row = static_cast<std::size_t>(found - keys_.begin());
        if (found != keys_.end() && reader_->has(path.column, row))
            output.add(output.curve(path.path, {}), bits(path, row));
    }

    void add_all(Path& path, Output& output)
    {
        path.known_keys.resize(keys_.size());
        path.known_curves.resize(keys_.size());
        for (std::size_t row = 0; row != keys_.size(); ++row) {
            if (!reader_->has(path.column, row)) continue;
            auto& curve = path.known_curves[row];
            if (!curve || path.known_keys[row] != keys_[row]) {
                path.known_keys[row] = keys_[row];
                curve = output.curve(path.path, {&keys_[row], 1});
            }
            output.add(curve, bits(path, row));
        }
    }

    std::vector<Step> steps_;  ///< to the message with the elements
    const FieldRow* elements_;
    std::optional<IdFields> ids_;
    std::vector<std::string> names_;  ///< of the columns
    std::vector<Path> paths_;
    std::optional<ColumnReader> reader_;
    std::vector<ElementKey> keys_;  ///< by row
};

/// Reads the paths of a plan from message after message.
class SeriesWalk {
public:
    SeriesWalk(const SeriesPlan& plan, const Channel& viewed, const SeriesOptions& options)
        : plan_(plan), format_(viewed.format), output_(plan, options)
    {
        std::map<std::pair<std::vector<const FieldRow*>, std::size_t>, std::vector<std::uint32_t>> groups;
        for (std::uint32_t i = 0; i != plan.paths().size(); ++i) {
            const auto place = ElementWalk::elements_of(plan.paths()[i]);
            if (!place) {
                others_.emplace_back(plan, i);
                continue;
            }
            in_columns_.emplace_back(plan, i);
            std::vector<const FieldRow*> fields;
            for (std::size_t step = 0; step <= *place; ++step) fields.push_back(plan.paths()[i].steps()[step].field);
            auto& paths = groups[{std::move(fields), *place}];
            if (paths.size() == ElementWalk::most_paths) columns_.emplace_back(plan, *place, std::exchange(paths, {}));
            paths.push_back(i);
        }
        for (auto& [key, paths] : groups) columns_.emplace_back(plan, key.second, std::move(paths));
    }

    void read(std::uint64_t number, const Frame& frame, std::optional<Nanoseconds> time)
    {
        output_.begin_message(number, time);
        bool is_broken = false;
        const auto read_each = [&](auto& walks, const MessageView& root) {
            for (auto& walk : walks) is_broken |= !is_read(walk, root);
        };
        try {
            const MessageView root(frame.bytes, plan_.root(), format_);
            read_each(others_, root);
            if (frame.bytes.size() <= ElementWalk::most_bytes)
                read_each(columns_, root);
            else
                read_each(in_columns_, root);
        } catch (const Error& error) {
            note(error);
            is_broken = true;
        }
        if (is_broken) ++broken_;
    }

    [[nodiscard]] Output& output() noexcept { return output_; }
    void report(SeriesEnd& end) const
    {
        end.messages = output_.messages();
        end.left_out = output_.left_out();
        end.broken = broken_;
        end.first_broken = first_broken_;
    }

private:
    template <class Walk>
    bool is_read(Walk& walk, const MessageView& root)
    {
        const auto mark = output_.mark();
        try {
            walk.read(root, output_);
            return true;
        } catch (const Error& error) {
            output_.drop_from(mark);
            note(error);
            return false;
        }
    }

    void note(const Error& error)
    {
        if (!first_broken_) first_broken_ = error;
    }

    const SeriesPlan& plan_;
    Format format_;
    std::vector<PathWalk> others_;
    std::vector<PathWalk> in_columns_;  ///< the paths of columns_, for large messages
    std::vector<ElementWalk> columns_;
    Output output_;
    std::uint64_t broken_ = 0;
    std::optional<Error> first_broken_;
};

std::uint64_t first_message(const Trace& trace, std::uint32_t in_trace, const SeriesOptions& options)
try {
    const auto before = options.from ? trace.frame_at(in_trace, *options.from) : std::nullopt;
    return std::max({options.first, before.value_or(0), trace.first_frame(in_trace)});
} catch (const Error&) {  // of the index: what is before the damage is read
    return std::max(options.first, trace.first_frame(in_trace));
}

std::optional<Nanoseconds> time_of(const Frame& frame, const SeriesOptions& options)
{
    if (options.by_log_time && frame.log_time) return frame.log_time;
    return frame.known_time();
}

/// Empty at the end of the channel, and where the trace is damaged, which `end` reports.
std::optional<Frame> frame_of(const Trace& trace, std::uint32_t in_trace, std::uint64_t number, SeriesEnd& end)
try {
    return trace.frame(in_trace, number);
} catch (const Error& error) {
    if (error.cause() != Cause::usage) end.problem = error;
    return std::nullopt;
}

}  // namespace

SeriesPlan::SeriesPlan(const MessageTable& root, std::span<const std::string> paths) : root_(&root)
{
    for (const auto& each : paths) {
        paths_.push_back(FieldPath::compile_value(root, each));
        if (paths_.back().leaf().kind == FieldKind::bytes)
            throw Error(Cause::usage, "field path '" + each + "': is bytes, expected a number, bool, enum or string");
    }
}

SeriesEnd read_series(const Trace& trace, std::uint32_t in_trace, const Channel& viewed, const SeriesPlan& plan,
                      const SeriesOptions& options, const std::function<void(SeriesBatch)>& on_batch,
                      const std::stop_token& stop)
{
    SeriesWalk walk(plan, viewed, options);
    auto& output = walk.output();
    SeriesEnd end;
    auto begun = Clock::now();
    const auto flush = [&] {
        if (!output.is_empty()) on_batch(output.take());
        begun = Clock::now();
    };
    for (auto number = first_message(trace, in_trace, options);; ++number) {
        end.stopped = stop.stop_requested();
        const auto frame = end.stopped ? std::nullopt : frame_of(trace, in_trace, number, end);
        if (!frame) {
            if (end.stopped || end.problem) break;
            flush();
            const auto kept = trace.first_frame(in_trace);
            if (number >= kept && !(options.wait_for_more && options.wait_for_more(number))) break;
            number = std::max(number, kept) - 1;
            continue;
        }
        const auto time = time_of(*frame, options);
        if (time && options.to && *time >= *options.to) break;
        if (time && options.from && *time < *options.from) continue;
        walk.read(number, *frame, time);
        if (output.is_full() || Clock::now() - begun >= options.batch_time) flush();
    }
    flush();
    walk.report(end);
    return end;
}

std::string path_by_id(const MessageView& root, std::string_view path)
{
    const auto compiled = FieldPath::compile(root.table(), path);
    std::string text;
    Value holder(root);
    for (const auto& step : compiled.steps()) {
        if (!text.empty()) text += '.';
        text += step.field->name;
        const auto* const message = std::get_if<MessageView>(&holder);
        if (step.pick == Pick::singular) {
            holder = message == nullptr ? Value() : Value(message->get(*step.field));
            continue;
        }
        const auto ids = step.field->child == nullptr ? std::nullopt : id_fields(*step.field->child);
        const auto names = step.pick == Pick::name ? name_fields(*step.field->child) : std::nullopt;
        std::vector<std::optional<std::uint64_t>> before;
        Value picked;
        if (message != nullptr && step.pick != Pick::every)
            message->for_each_element(*step.field, [&](const Value& value) {
                const auto* const element = std::get_if<MessageView>(&value);
                before.push_back(ids && element != nullptr ? id_of(*element, *ids) : std::nullopt);
                const bool is_it = names                   ? name_of(*element, *names) == step.name
                                   : step.pick == Pick::id ? before.back() == step.argument
                                                           : before.size() == step.argument + 1;
                if (is_it) picked = value;
                return !is_it;
            });
        const bool is_found = !std::holds_alternative<std::monostate>(picked);
        const auto id = is_found ? before.back() : std::nullopt;
        const bool is_first = id && std::ranges::count(before, id) == 1;
        if (step.pick == Pick::every)
            text += "[*]";
        else
            text += step.pick != Pick::name && is_first ? key_text({true, *id}) : pick_text(step);
        holder = picked;
    }
    return text;
}

double series_number(const FieldRow& leaf, std::uint64_t bits) noexcept
{
    if (!is_scalar(leaf.kind)) return std::numeric_limits<double>::quiet_NaN();
    if (is_real(leaf.kind)) return std::bit_cast<double>(bits);
    return is_unsigned(leaf.kind) ? static_cast<double>(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
}

Value series_value(const FieldRow& leaf, std::uint64_t bits, std::span<const std::string> texts)
{
    if (leaf.kind == FieldKind::string) return bits < texts.size() ? Value(std::string_view(texts[bits])) : Value();
    if (leaf.kind == FieldKind::bool_) return bits != 0;
    if (is_real(leaf.kind)) return std::bit_cast<double>(bits);
    if (is_unsigned(leaf.kind)) return bits;
    return static_cast<std::int64_t>(bits);
}

}  // namespace ositrace
