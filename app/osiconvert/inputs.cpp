// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/inputs.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "app/terminal/loss.hpp"

namespace ositrace::app {

bool is_damage_of_trace(const Error& error)
{
    if (!is_damage(error) || !error.where().offset) return false;
    return error.damage() != Damage::first_frame || trace_extension(error.where().file.filename().string());
}

CutOptions cut_options(const SelectionOptions& selection)
{
    CutOptions options;
    options.time = selection.time.range();
    options.frames = selection.frames.value_or(FrameRange{});
    options.topic = selection.topic;
    return options;
}

std::unique_ptr<FrameSource> selected_frames(const std::filesystem::path& file, const OpenOptions& open,
                                             CutOptions options, Messages& messages)
{
    const bool needs_all = options.time && options.time->needs_all();
    if (needs_all && file == "-") throw needs_a_file(*options.time, "standard input");
    options.stop = open.stop;
    options.on_damage_after = warn_of_damage_after(messages);
    if (const auto trace = open_indexed(file, open)) return cut(*trace, std::move(options));
    std::error_code none;
    const bool skips =
        options.frames.from != 0 && !options.carry_static && std::filesystem::is_regular_file(file, none);
    if (needs_all || skips) return cut(*open_trace(file, open), std::move(options));
    auto stream = open_stream(file, open);
    const auto& info = stream->info();
    const bool by_index = options.time && std::filesystem::is_regular_file(file, none) &&
                          info.container.payloads_in_place && !info.is_compressed() && !open.follow;
    if (by_index) return cut(*open_trace(file, open), std::move(options));
    return cut(std::move(stream), std::move(options));
}

void warn_if_misnamed(const TraceInfo& info, Messages& messages)
{
    const auto file_name = info.file.filename().string();
    const auto name = parse_trace_name(file_name);
    if (!name || !name->type) return;
    const auto is_named = [&](const Channel& channel) { return channel.type == name->type; };
    const auto found =
        std::ranges::find_if(info.channels, [](const Channel& channel) { return channel.type.has_value(); });
    if (found == info.channels.end() || std::ranges::any_of(info.channels, is_named)) return;
    messages.warning(info.file.string() + ": the file name states " + std::string(row_of(*name->type).name) +
                     ", but the messages are " + std::string(row_of(*found->type).name) +
                     " ('osiconvert rename' corrects the name)");
}

void warn_of_unread_version(const std::filesystem::path& file, Messages& messages)
{
    const auto name = parse_trace_name(file.filename().string());
    if (!name || name->protobuf_version.empty() || protobuf_version_from_digits(name->protobuf_version)) return;
    messages.warning(file.string() + ": the Protobuf version " + name->protobuf_version +
                     " in the file name is not that of a release, and is not used");
}

}  // namespace ositrace::app
