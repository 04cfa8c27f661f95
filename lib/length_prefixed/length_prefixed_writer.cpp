// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <memory>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/compressor.hpp"
#include "lib/io/output_file.hpp"
#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/trace/output_options.hpp"

namespace ositrace {

namespace {

/// `.osi` and `.osifb`: { uint32 little-endian length, payload } repeated; one channel, no header.
class LengthPrefixedWriter final : public TraceWriter {
public:
    /// `compression`: null = none.
    LengthPrefixedWriter(const std::filesystem::path& file, const TraceInfo& info, const CompressorRow* compression,
                         const WriteOptions& options);

    /// Throws Error (unsupported), too, at an empty message that would be read as damage: the 128th in a row, or a
    /// FlatBuffer.
    void write(const Frame& frame) override;
    void add_channel(const Channel& channel) override;
    void hand_on() override { sink_->hand_on(); }
    void discard() noexcept override { file_.discard(); }
    /// Throws Error (unsupported), too, when the last message is empty, unless WriteOptions::keep_empty.
    std::uint64_t close() override;

private:
    void check_empty(std::uint64_t frame) const;

    std::filesystem::path path_;
    OutputFile file_;
    std::unique_ptr<Compressor> compressor_;  ///< writes to file_
    ByteSink* sink_;                          ///< one of the two
    FlushTimes flush_times_;
    bool keep_empty_;
    bool never_empty_;  ///< the messages are FlatBuffers
    std::uint64_t empty_in_a_row_ = 0;
};

LengthPrefixedWriter::LengthPrefixedWriter(const std::filesystem::path& file, const TraceInfo& info,
                                           const CompressorRow* compression, const WriteOptions& options)
    : path_(file),
      file_(file, output_options(options)),
      flush_times_(options),
      keep_empty_(options.keep_empty),
      never_empty_(!info.channels.empty() && info.channels.front().format.encoding == Encoding::flatbuffers)
{
    if (compression) compressor_ = compression->create(file_, {.level = options.level, .threads = options.threads});
    sink_ = compressor_ ? static_cast<ByteSink*>(compressor_.get()) : &file_;
}

void LengthPrefixedWriter::add_channel(const Channel& channel)
try {
    TraceWriter::add_channel(channel);
} catch (const Error& error) {
    throw error.within({.file = path_});
}

void LengthPrefixedWriter::write(const Frame& frame)
{
    if (frame.bytes.size() > max_encodable_bytes)
        throw Error(Cause::limit, {.file = path_, .frame = frame.index},
                    "a message of " + std::to_string(frame.bytes.size()) + " bytes exceeds the limit of " +
                        std::to_string(max_encodable_bytes) + " bytes");
    if (frame.bytes.empty()) check_empty(frame.index);
    std::array<std::byte, 4> prefix;
    store_le32(prefix.data(), static_cast<std::uint32_t>(frame.bytes.size()));
    sink_->write(prefix, frame.bytes);
    empty_in_a_row_ = frame.bytes.empty() ? empty_in_a_row_ + 1 : 0;
    flush_times_.after_frame(*sink_);
}

void LengthPrefixedWriter::check_empty(std::uint64_t frame) const
{
    if (keep_empty_) return;
    if (never_empty_) throw length_prefix::empty_flatbuffer().within({.file = path_, .frame = frame});
    const auto zeros = (empty_in_a_row_ + 1) * length_prefix::prefix_bytes;
    if (zeros >= length_prefix::min_damage_zeros)
        throw Error(Cause::unsupported, {.file = path_, .frame = frame},
                    std::to_string(empty_in_a_row_ + 1) + " messages in a row are empty: as " + std::to_string(zeros) +
                        " zero bytes they count as damage; write .mcap, or give --keep-empty here and to the commands "
                        "that read it");
}

std::uint64_t LengthPrefixedWriter::close()
{
    if (empty_in_a_row_ != 0 && !keep_empty_)
        throw Error(Cause::unsupported, {.file = path_},
                    "the trace would end with " + count_text(empty_in_a_row_, "empty message") +
                        ": zeros at the end count as damage; leave them out (cut --frames), write .mcap, or give "
                        "--keep-empty here and to the commands that read it");
    if (compressor_) compressor_->finish();
    return file_.close();
}

}  // namespace

std::unique_ptr<TraceWriter> create_length_prefixed(const std::filesystem::path& file, const TraceInfo& info,
                                                    const CompressorRow* compression, const WriteOptions& options)
{
    return std::make_unique<LengthPrefixedWriter>(file, info, compression, options);
}

}  // namespace ositrace
