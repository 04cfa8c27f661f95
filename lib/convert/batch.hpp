// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>

#include "lib/convert/channel_converter.hpp"

namespace ositrace {

/// Consecutive frames that one thread reads, converts and writes: one frame, or many small ones, so that taking turns
/// costs little.
struct Batch {
    /// A frame as it was read, after convert() as it is to be written.
    struct Item {
        Frame frame;
        std::uint64_t bytes_in = 0;  ///< payload as it was read
        std::uint64_t dropped_unknown_fields = 0;
        bool other_wire_form = false;
        bool other_times = false;  ///< than its OSI time, and the output keeps no others
        std::exception_ptr error;  ///< it could not be converted
    };

    /// What the source told of itself while these frames were read.
    struct News {
        std::vector<Channel> channels;
        std::vector<MetadataRecord> metadata;
        std::vector<Attachment> attachments;
    };

    std::uint64_t ticket = 0;
    News news;
    std::vector<Item> items;
    std::uint64_t bytes_in = 0;                ///< of all items
    std::uint64_t bytes_consumed = 0;          ///< of the source, behind these frames
    std::optional<std::uint64_t> bytes_total;  ///< of the source
    std::exception_ptr read_error;             ///< behind the last item

    void clear();
};

/// Converts batches on one thread.
class BatchConverter {
public:
    explicit BatchConverter(const ConvertOptions& options) : options_(options) {}

    /// To be told of the channel of every frame before convert().
    void know(std::uint32_t index, const Channel& channel);
    /// Converts every item, or all up to the first error where bad frames are not skipped. The bytes live until the
    /// next call. Errors are kept in the items.
    void convert(Batch& batch);

private:
    bool convert_item(Batch::Item& item, bool alone);
    void append_to_joined(Batch::Item& item);
    void point_into_joined();

    const ConvertOptions& options_;
    std::map<std::uint32_t, ChannelConverter> channels_;
    ByteBuffer scratch_;                                             ///< one converted frame
    ByteBuffer joined_;                                              ///< several, one behind the other
    std::vector<std::pair<Batch::Item*, std::size_t>> joined_ends_;  ///< where each ends
};

}  // namespace ositrace
