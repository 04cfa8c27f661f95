// SPDX-License-Identifier: MPL-2.0
#include "gui/export/trace_export.hpp"

#include <algorithm>
#include <utility>

#include <QStringList>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/edit/cut.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_text.hpp>
#include <ositrace/pending_output.hpp>
#include <ositrace/trace_writer.hpp>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

/// What the output does not contain; empty: nothing is missing.
QString left_out_text(const ConvertResult& result)
{
    QStringList parts;
    const auto add = [&](std::uint64_t count, std::string_view what) {
        if (count != 0) parts += count_text(count, what);
    };
    add(result.dropped_unknown_fields, "unknown field");
    add(result.left_out_metadata, "metadata record");
    add(result.left_out_attachments, "attachment");
    add(result.left_out_channel_metadata, "metadata entry of a channel");
    add(result.left_out_application_records, "record of an application");
    if (parts.isEmpty()) return {};
    return QStringLiteral("; its format cannot hold ") + parts.join(QStringLiteral(", "));
}

QString file_name(const std::filesystem::path& file) { return QString::fromStdString(file.string()); }

}  // namespace

QString export_section(const Trace& trace, std::optional<std::uint32_t> channel, const std::optional<TimeSpan>& span,
                       const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                       const std::stop_token& stop, const OnFraction& on_progress)
{
    CutOptions part;
    part.channel = channel;
    if (span) part.time = TimeRange::of(*span);
    part.stop = stop;
    QString damage;
    part.on_damage_after = [&](const Error& error) {
        damage = QStringLiteral("; the trace is damaged after it: ") + QString::fromUtf8(error.what());
    };
    const auto frames = cut(trace, std::move(part));
    const WriteOptions write{.overwrite = true, .threads = 0, .inputs = inputs};
    ConvertOptions options;
    options.to = output_format(output, write, frames->info());
    options.max_message_bytes = max_encodable_bytes;
    options.on_progress = [&](const ConvertProgress& progress) {
        const auto total = progress.bytes_total.value_or(0);
        on_progress(
            total == 0 ? -1 : std::min(1.0, static_cast<double>(progress.bytes_consumed) / static_cast<double>(total)));
    };
    const auto out = create_trace(output, converted_info(frames->info(), options.to), write);
    const auto result = convert(*frames, *out, options, stop);
    if (result.frames == 0) throw Error(Cause::mismatch, {.file = output}, "the section contains no frame");
    const auto bytes = out->close();
    return QStringLiteral("%1: %2, %3").arg(file_name(output), count_text(result.frames, "frame"), size_text(bytes)) +
           left_out_text(result) + damage;
}

QString export_json(const ShownFrame& shown, const std::filesystem::path& output)
{
    ByteBuffer json;
    const auto left_out = append_json({shown.frame->bytes, *shown.channel->root, shown.channel->format}, json);
    json.append(bytes_of("\n"));
    write_file(output, true, json.bytes());
    auto line = QStringLiteral("%1: message %2 of %3, %4")
                    .arg(file_name(output), count_text(shown.number), QString::fromStdString(shown.name),
                         size_text(json.size()));
    if (left_out.unknown_fields != 0)
        line += QStringLiteral("; JSON cannot hold ") + count_text(left_out.unknown_fields, "unknown field");
    return line;
}

}  // namespace ositrace::gui
