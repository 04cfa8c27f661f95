// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/selected_frames.hpp"

#include <utility>

#include <ositrace/error.hpp>

#include "app/terminal/damage_behind.hpp"

namespace ositrace::app {

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
    options.on_damage_behind = warn_of_damage_behind(messages);
    if (const auto trace = open_indexed(file, open)) return cut(*trace, std::move(options));
    std::error_code none;
    const bool skips =
        options.frames.from != 0 && !options.carry_static && std::filesystem::is_regular_file(file, none);
    if (needs_all || skips) return cut(*open_trace(file, open), std::move(options));
    auto stream = open_stream(file, open);
    const auto& info = stream->info();
    const bool by_index = options.time && std::filesystem::is_regular_file(file, none) &&
                          info.container == "length-prefixed" && info.compression == "none" && !open.follow;
    if (by_index) return cut(*open_trace(file, open), std::move(options));
    return cut(std::move(stream), std::move(options));
}

}  // namespace ositrace::app
