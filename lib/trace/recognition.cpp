// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/recognition.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/recognize.hpp>
#include <ositrace/trace_name.hpp>

#include "lib/trace/time_notes.hpp"

namespace ositrace {

namespace {

RecognitionHints hints_for(const std::filesystem::path& file, std::span<const Bytes> first_payloads,
                           const OpenOptions& options)
{
    RecognitionHints hints{options.type, options.encoding, options.layout, std::nullopt};
    const auto file_name = file.filename().string();
    hints.type_from_name = type_in_name(file_name);
    const bool nothing_to_see =
        std::all_of(first_payloads.begin(), first_payloads.end(), [](Bytes bytes) { return bytes.empty(); });
    if (nothing_to_see && !hints.encoding)
        if (const auto extension = trace_extension(file_name)) hints.encoding = extension->encoding;
    return hints;
}

}  // namespace

Channel recognize_channel(const std::filesystem::path& file, std::span<const Bytes> first_payloads,
                          const OpenOptions& options)
try {
    auto schema = options.schema ? options.schema : Schema::built_in();
    const auto recognized = recognize(first_payloads, *schema, hints_for(file, first_payloads, options));
    auto channel = recognized_channel(recognized, std::move(schema));
    if (options.on_warning) channel.time_notes = std::make_shared<TimeNotes>(options.on_warning);
    return channel;
} catch (const Error& error) {
    throw error.within({.file = file});
}

}  // namespace ositrace
