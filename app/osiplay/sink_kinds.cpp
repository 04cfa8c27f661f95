// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/sink_kinds.hpp"

#include <algorithm>
#include <array>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/error.hpp>
#ifdef OSITRACE_FMU
#include <ositrace/fmu_model.hpp>
#endif

#include "app/terminal/near_word.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {
namespace {

/// Ignores all frames: to measure the cost of playback.
class NullSink final : public FrameSink {
public:
    void take(std::span<const Frame>, Nanoseconds, const TraceInfo&) override {}
};

CreatedSink make_null(const SinkRequest&, const SinkContext&) { return {std::make_unique<NullSink>(), nullptr}; }

/// `NAME=VALUE`
void set(std::string_view setting, DummySensorOptions& options)
try {
    const auto equals = setting.find('=');
    set_parameter(options, setting.substr(0, equals),
                  equals == std::string_view::npos ? std::string_view() : setting.substr(equals + 1));
} catch (const Error& error) {
    throw Error(Cause::usage, "--set: " + std::string(error.what()));
}

CreatedSink make_dummy(const SinkRequest& request, const SinkContext&)
{
    DummySensorOptions options;
    for (const auto& option : request.options) set(option.value, options);
    return {nullptr, dummy_sensor(options), request.text};
}

constexpr std::array<std::string_view, 1> dummy_options{"--set"};

constexpr std::array<std::string_view, 0> none{};

const std::array kinds{
    SinkKind{"null", "null", SinkRole::player, none, none, make_null},
    SinkKind{"dummy", "dummy", SinkRole::model, dummy_options, none, make_dummy},
#ifdef OSITRACE_FMU
    SinkKind{"fmu:", "fmu:MODEL.fmu[?name=NAME&outputs=FILE.csv]", SinkRole::model, fmu_options, fmu_words, make_fmu},
#endif
    SinkKind{"zmq+push://", "zmq+push://HOST:PORT", SinkRole::live, none, none, make_network_sink},
    SinkKind{"zmq+pub://", "zmq+pub://HOST:PORT", SinkRole::live, none, none, make_network_sink},
    SinkKind{"tcp://", "tcp://HOST:PORT", SinkRole::live, none, none, make_network_sink},
    SinkKind{"udp://", "udp://HOST[:PORT]", SinkRole::live, none, none, make_network_sink},
    SinkKind{"foxglove://", "foxglove://[HOST][:PORT]", SinkRole::live, none, none, make_network_sink},
#ifdef OSITRACE_WEB_SINK
    SinkKind{"web://", "web://[HOST][:PORT]", SinkRole::live, none, none, make_network_sink},
#endif
    SinkKind{"record:", "record:FILE[?inputs&held&compression=none|lz4|zstd]", SinkRole::record, none, record_words,
             make_recording},
};

bool matches(std::string_view word, const SinkKind& kind)
{
    return kind.prefix.ends_with(':') || kind.prefix.ends_with('/') ? word.starts_with(kind.prefix)
                                                                    : word == kind.prefix;
}

Error unknown_word(const std::string& rest, std::string_view word, std::span<const std::string_view> known)
{
    std::string list;
    for (const auto each : known) list.append(list.empty() ? "" : ", ").append(each);
    return {Cause::usage, rest + ": '" + std::string(word) + "' is not known after the ? (known: " + list + ")" +
                              did_you_mean(word, {known.begin(), known.end()})};
}

/// What names the kind, of `foxglov://HOST:PORT` or `recrod:FILE`.
std::string_view kind_in(std::string_view word)
{
    const auto scheme = word.find("://"), prefix = word.find(':');
    return word.substr(0, scheme != std::string_view::npos   ? scheme + 3
                          : prefix != std::string_view::npos ? prefix + 1
                                                             : prefix);
}

bool knows(const SinkKind& kind, std::string_view option)
{
    return std::ranges::find(kind.options, option) != kind.options.end();
}

}  // namespace

std::span<const SinkKind> sink_kinds() { return kinds; }

void remove_temporary_files() noexcept
{
#ifdef OSITRACE_FMU
    remove_fmu_folders();
#endif
}

const SinkKind& sink_kind_of(std::string_view word)
{
    const auto kind = std::ranges::find_if(kinds, [&](const SinkKind& row) { return matches(word, row); });
    if (kind == kinds.end())
        throw Error(Cause::usage, "unknown sink '" + std::string(word) + "' (known: " + sink_forms(", ") + ")" +
                                      did_you_mean(kind_in(word), sink_choices()));
    const auto rest = kind->form.substr(kind->prefix.size());
    if (word.size() == kind->prefix.size() && !rest.empty() && !rest.starts_with('['))
        throw Error(Cause::usage, "'" + std::string(word) + "' is not " + std::string(kind->form));
    return *kind;
}

SinkFile split_sink_file(const std::string& rest, std::span<const std::string_view> known)
{
    SinkFile found{rest, {}};
    const auto mark = rest.rfind('?');
    std::error_code ignored;
    if (known.empty() || mark == std::string::npos || mark == 0 || mark + 1 == rest.size() ||
        std::filesystem::exists(rest, ignored))
        return found;
    for (std::string_view words = std::string_view(rest).substr(mark + 1); !words.empty();) {
        const auto word = words.substr(0, words.find('&'));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        const auto equals = std::min(word.find('='), word.size());
        const auto name = word.substr(0, equals);
        if (name.find_first_of("./") != std::string_view::npos) return {rest, {}};
        if (std::ranges::find(known, name) == known.end()) throw unknown_word(rest, name, known);
        found.words.emplace(name, word.substr(std::min(equals + 1, word.size())));
    }
    found.file = rest.substr(0, mark);
    return found;
}

std::vector<std::string> sink_choices()
{
    std::vector<std::string> all;
    for (const auto& kind : kinds) all.emplace_back(kind.prefix);
    return all;
}

std::string sink_forms(std::string_view between)
{
    std::string text;
    for (const auto& kind : kinds) text.append(text.empty() ? "" : between).append(kind.form);
    return text;
}

void check_sink_option(const SinkKind& kind, const SinkOption& option)
{
    if (knows(kind, option.name)) return;
    std::string known;
    for (const auto& row : kinds)
        if (knows(row, option.name)) known.append(known.empty() ? "" : ", ").append(row.form);
    throw Error(Cause::usage, "applies to the sink before it, but " + std::string(kind.form) + " does not support it" +
                                  (known.empty() ? "" : " (supported by " + known + ")"));
}

SinkSet::SinkSet(const std::vector<RequestedSink>& requested, const std::filesystem::path& trace,
                 const SinkContext& context)
{
    std::vector<SteppedModel> models;
    std::vector<ModelOutput> outputs;
    std::vector<FrameSink*> recordings;
    for (const auto& [kind, request] : requested) {
        auto& made = created_.emplace_back(kind->make(request, context));
        if (made.model) {
            if (request.file.words.contains("name") &&
                std::ranges::find(models, made.name, &SteppedModel::name) != models.end())
                throw Error(Cause::usage, "two models are named '" + made.name + "'");
            models.push_back({made.model.get(), made.name, made.topics});
        } else if (kind->role == SinkRole::record) {
            recordings.push_back(made.sink.get());
            outputs.push_back(
                {made.sink.get(), request.file.words.contains("inputs"), request.file.words.contains("held")});
        } else if (request.from_models) {
            outputs.push_back({made.sink.get()});
        } else {
            sinks_.push_back(made.sink.get());
        }
    }
    records_ = !recordings.empty();
    if (models.empty()) {
        sinks_.insert(sinks_.end(), recordings.begin(), recordings.end());
    } else {
        models_ = step_models(std::move(models), outputs, [trace, &messages = context.messages](const Frame& frame) {
            messages.warning(shown_file(trace, "standard input") + ": frame " + std::to_string(frame.index) +
                             ": its time is not after that of the previous step; such steps of models last 1 ns "
                             "(reported once)");
        });
        sinks_.push_back(models_.get());
    }
}

}  // namespace ositrace::app
