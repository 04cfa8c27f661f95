// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/windowed_input.hpp"
#include "lib/mcap/batch_filler.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/mcap_salvage.hpp"

namespace ositrace {

/// In the place of the Error that says that a data section is not what its CRC says.
inline constexpr std::string_view data_crc_field = "data_section_crc";

/// Puts what the records of an input hold into batches. One thread at a time.
class RecordHandler {
public:
    RecordHandler(WindowedInput& input, const OpenOptions& options, const McapLimits& limits);

    [[nodiscard]] BatchFiller& filler() noexcept { return filler_; }
    [[nodiscard]] const BatchFiller& filler() const noexcept { return filler_; }
    /// Is what is whole of a damaged chunk handed out?
    [[nodiscard]] bool salvages() const noexcept { return salvage_.wanted(); }

    /// The record at the input's position. `searched`: it was found by a search behind damage. Throws Error with file
    /// and byte.
    void add(const mcap::RawRecord& record, bool searched, McapBatch& batch);
    /// A schema or a channel of the summary, which may tell channels that have no messages and stand nowhere else.
    void add_stated(const mcap::RawRecord& record);
    /// Behind these come data after all: what was stated was declared.
    void go_on_with_data();
    /// The new ones, unless the summary is damaged: the data are complete without it. `footer`: the record at the
    /// input's position.
    void take_stated(Bytes footer, McapBatch& batch);
    /// A chunk in which the file ends.
    void add_cut_chunk(const mcap::RawRecord& record, const Error& problem, McapBatch& batch);
    /// One that was unpacked elsewhere.
    void add_chunk(const UnpackedChunk& chunk, McapBatch& batch);
    /// What is wrong with the chunk at `offset`, none of whose messages was handed out.
    [[nodiscard]] Error damaged_chunk(const Error& error, std::uint64_t offset) const;

private:
    void add_content(const mcap::RawRecord& record, bool searched, McapBatch& batch);
    void add_stored_chunk(const mcap::RawRecord& record, McapBatch& batch);
    void check_data_crc(const mcap::RawRecord& record, McapBatch& batch);
    UnpackedChunk unpack(const mcap::RawRecord& record, McapBatch& batch);

    WindowedInput& input_;
    bool skip_bad_frames_;
    BatchFiller filler_;
    McapSalvage salvage_;
    ChunkDecoder decoder_;
    std::optional<McapChannels> stated_;  ///< by the data and the summary
    bool contradicted_ = false;           ///< the data by the summary, or it is broken
};

}  // namespace ositrace
