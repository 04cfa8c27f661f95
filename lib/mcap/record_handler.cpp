// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/record_handler.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "formats/core/crc32.hpp"
#include "formats/mcap/plausible_record.hpp"
#include "lib/mcap/mcap_frame.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

RecordHandler::RecordHandler(WindowedInput& input, const OpenOptions& options, const McapLimits& limits)
    : input_(input),
      skip_bad_frames_(options.skip_bad_frames),
      filler_(options),
      salvage_(filler_, options.skip_bad_frames ? options.is_whole : nullptr, limits),
      decoder_(limits.max_chunk_bytes)
{
}

void RecordHandler::add(const mcap::RawRecord& record, bool searched, McapBatch& batch)
try {
    add_content(record, searched, batch);
} catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    const Location place{.file = input_.source().name(),
                         .frame = record.opcode == Opcode::message ? std::optional(filler_.frames()) : std::nullopt,
                         .offset = error.where().offset ? record.content_offset() : record.offset};
    throw error.within(place);
}

void RecordHandler::add_stated(const mcap::RawRecord& record)
{
    if (contradicted_) return;
    if (!stated_) stated_ = filler_.channels();
    try {
        if (record.opcode == Opcode::schema) stated_->add(mcap::parse_schema(record.content));
        if (record.opcode == Opcode::channel) stated_->add(mcap::parse_channel(record.content));
    } catch (const Error&) {
        contradicted_ = true;
    }
}

void RecordHandler::go_on_with_data()
{
    if (stated_ && !contradicted_) filler_.channels() = std::move(*stated_);
    stated_.reset();
    contradicted_ = false;
}

void RecordHandler::take_stated(Bytes footer, McapBatch& batch)
{
    if (!stated_ || contradicted_) return;
    const auto crc = mcap::parse_footer(footer.subspan(record_prefix_bytes)).summary_crc;
    const auto found = crc32(footer.first(footer.size() - sizeof crc), input_.crc().value_or(0));
    if (crc != 0 && crc != found) return;
    filler_.channels() = std::move(*stated_);
    filler_.add_new_channels(batch);
}

void RecordHandler::add_content(const mcap::RawRecord& record, bool searched, McapBatch& batch)
{
    switch (record.opcode) {
    case Opcode::schema: filler_.channels().add(mcap::parse_schema(record.content)); break;
    case Opcode::channel: filler_.channels().add(mcap::parse_channel(record.content)); break;
    case Opcode::message:
        filler_.add_new_channels(batch);
        salvage_.check_message(record, searched);
        filler_.add_message(record, record.offset, input_.owner(), batch);
        filler_.add_new_channels(batch);  // it may be one of the summary
        break;
    case Opcode::chunk: add_stored_chunk(record, batch); break;
    case Opcode::metadata: batch.metadata.push_back(mcap_metadata(mcap::parse_metadata(record.content))); break;
    case Opcode::data_end:
        filler_.add_new_channels(batch);
        check_data_crc(record, batch);
        break;
    default: break;
    }
}

void RecordHandler::add_chunk(const UnpackedChunk& chunk, McapBatch& batch)
{
    filler_.add_chunk(chunk, batch);
    filler_.add_new_channels(batch);
}

void RecordHandler::add_stored_chunk(const mcap::RawRecord& record, McapBatch& batch)
{
    try {
        const bool unproven = salvages() && mcap::parse_chunk(record.content).uncompressed_crc == 0;
        const auto check = [this](const mcap::RawRecord& message) { salvage_.check_message(message, false); };
        filler_.add_chunk(unpack(record, batch), batch,
                          unproven ? std::function<void(const mcap::RawRecord&)>(check) : nullptr);
    } catch (const Error& error) {
        const auto problem = damaged_chunk(error, record.offset);
        input_.drop_crc();
        if (salvages()) return salvage_.add_chunk(record, input_.owner(), problem, batch);
        // Only a chunk that another record follows has the length that it says.
        const auto behind = record_prefix_bytes + record.content.size();
        if (!skip_bad_frames_ ||
            !mcap::plausible_prefix(input_.ensure(behind + record_prefix_bytes, {}).subspan(behind)))
            throw problem;
        batch.skipped = SkippedBytes{filler_.frames(), record.offset, record.end() - record.offset, problem};
    }
    filler_.add_new_channels(batch);
}

/// Of messages outside of chunks it is the only CRC. Known where all of the data section was read and nothing of it was
/// damaged.
void RecordHandler::check_data_crc(const mcap::RawRecord& record, McapBatch& batch)
{
    const auto expected = mcap::parse_data_end(record.content).data_section_crc;
    if (expected == 0 || !input_.crc() || *input_.crc() == expected) return;
    const auto problem = Error(Cause::malformed, {.offset = record.offset, .field = std::string(data_crc_field)},
                               "the data section is damaged: the CRC of its bytes is " + std::to_string(*input_.crc()) +
                                   ", expected " + std::to_string(expected))
                             .within({.file = input_.source().name()});
    if (!skip_bad_frames_) throw problem;
    batch.skipped = SkippedBytes{filler_.frames(), record.offset, 0, problem};
}

void RecordHandler::add_cut_chunk(const mcap::RawRecord& record, const Error& problem, McapBatch& batch)
{
    salvage_.add_chunk(record, input_.owner(), problem, batch);
}

Error RecordHandler::damaged_chunk(const Error& error, std::uint64_t offset) const
{
    return {error.cause(),
            {.file = input_.source().name(), .frame = filler_.frames(), .offset = offset, .field = error.where().field},
            error.reason()};
}

UnpackedChunk RecordHandler::unpack(const mcap::RawRecord& record, McapBatch& batch)
{
    const auto chunk = mcap::parse_chunk(record.content);
    batch.chunk_compression = chunk_compression_name(chunk.compression);
    const auto before_records = static_cast<std::uint64_t>(chunk.records.data() - record.content.data());
    UnpackedChunk result{{}, std::string(chunk.compression), record.offset, record.content_offset() + before_records};
    result.records = decoder_.decode(chunk, chunk.compression.empty() ? input_.owner() : nullptr);
    return result;
}

}  // namespace ositrace
