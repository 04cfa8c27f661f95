// SPDX-License-Identifier: MPL-2.0
// The payloads of frames, converted and verified: what a thread of convert() does between reading and writing.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/transcode/payload_reader.hpp"
#include "lib/convert/left_out.hpp"

namespace ositrace {

/// Consecutive frames that one thread reads, converts and writes: one large frame or many small ones, so that the
/// handover between threads costs little.
struct ConvertBatch {
    /// As read; after convert() as to be written.
    struct Item {
        Frame frame;
        std::uint64_t bytes_in = 0;  ///< payload as read
        std::uint64_t dropped_unknown_fields = 0;
        bool other_wire_form = false;
        KeptTime kept_time = KeptTime::same;  ///< where the output cannot store log and publish times
        std::exception_ptr error;             ///< it could not be converted
    };

    /// What the source added to its TraceInfo while these frames were read.
    struct Additions {
        std::vector<Channel> channels;
        std::vector<MetadataRecord> metadata;
        std::vector<Attachment> attachments;
    };

    std::uint64_t ticket = 0;
    Additions additions;
    std::vector<Item> items;
    std::uint64_t bytes_in = 0;                ///< of all items
    std::uint64_t bytes_consumed = 0;          ///< of the source, after these frames
    std::optional<std::uint64_t> bytes_total;  ///< of the source
    std::exception_ptr read_error;             ///< after the last item

    void clear();
};

/// Verifies that a conversion kept everything (`--verify`). For one thread and one channel.
class RoundTrip {
public:
    /// `channel` is the input, `to` the format of the output. The channel's schema must outlive this.
    RoundTrip(const Channel& channel, Format to);

    /// true: `output` converted back is `input`, byte by byte. false: it is not, but all fields are equal. Throws Error
    /// (different) naming the first field that differs.
    [[nodiscard]] bool gives_equal_bytes(Bytes input, Bytes output);

private:
    const MessageTable& root_;
    Format from_;
    Format to_;
    Transcoder back_;
    ByteBuffer scratch_;
};

/// Converts the messages of one channel, and of all that differ in topic and metadata alone. One thread at a time.
class ChannelConverter {
public:
    struct Result {
        Bytes bytes;  ///< the input itself if it needs no conversion, else in the scratch buffer
        std::uint64_t dropped_unknown_fields = 0;
        bool other_wire_form = false;  ///< verified: same content, other bytes
    };

    ChannelConverter(Channel channel, const ConvertOptions& options);

    /// Throws Error with offset in the payload and field path.
    [[nodiscard]] Result convert(Bytes payload, ByteBuffer& scratch);

private:
    void check_declared_release(Bytes payload) const;

    Channel channel_;
    bool declared_;                         ///< the layout belongs to one OSI release
    bool never_empty_;                      ///< an empty payload is damage
    std::optional<Transcoder> transcoder_;  ///< empty: the payloads are copied unchanged
    std::optional<PayloadReader> reader_;   ///< of payloads that are copied
    std::optional<RoundTrip> round_trip_;
};

/// Converts batches on one thread.
class BatchConverter {
public:
    explicit BatchConverter(const ConvertOptions& options) : options_(options) {}

    /// Call with the channel of every frame before convert().
    void add_channel(std::uint32_t index, const Channel& channel);
    /// Converts every item, or all up to the first error if bad frames are not skipped. The bytes live until the next
    /// call. Errors are kept in the items.
    void convert(ConvertBatch& batch);

private:
    bool convert_item(ConvertBatch::Item& item, bool alone);

    const ConvertOptions& options_;
    using Kind = std::tuple<const MessageTable*, const Schema*, Encoding, Layout>;
    std::map<Kind, ChannelConverter> converters_;  ///< a file may have 65 535 channels of one kind
    std::map<std::uint32_t, ChannelConverter*> channels_;
    ByteBuffer scratch_;                                                    ///< one converted frame
    ByteBuffer joined_;                                                     ///< several converted frames
    std::vector<std::pair<ConvertBatch::Item*, std::size_t>> joined_ends_;  ///< where each ends
};

/// Is no conversion needed from one format to the other? The layout applies to FlatBuffers only.
[[nodiscard]] inline bool same_form(Format a, Format b) noexcept
{
    return a.encoding == b.encoding && (a.encoding == Encoding::protobuf || a.layout == b.layout);
}

}  // namespace ositrace
