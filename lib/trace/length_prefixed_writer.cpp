// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/length_prefixed_writer.hpp"

#include <array>

#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/framing/length_prefix.hpp"

namespace ositrace {

LengthPrefixedWriter::LengthPrefixedWriter(const std::filesystem::path& file, const CompressorRow* compression,
                                           const WriteOptions& options)
    : path_(file), file_(file, output_options(options)), flush_times_(options)
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
    std::array<std::byte, 4> prefix;
    store_le32(prefix.data(), static_cast<std::uint32_t>(frame.bytes.size()));
    sink_->write(prefix, frame.bytes);
    empty_at_end_ = frame.bytes.empty() ? empty_at_end_ + 1 : 0;
    flush_times_.behind_frame(*sink_);
}

std::uint64_t LengthPrefixedWriter::close()
{
    const auto zeros = empty_at_end_ * length_prefix::prefix_bytes;
    if (zeros >= length_prefix::min_zero_tail_bytes)
        throw Error(Cause::unsupported, {.file = path_},
                    "the last " + std::to_string(empty_at_end_) + " frames are empty: as " + std::to_string(zeros) +
                        " zero bytes they would be read as the end of a preallocated file; leave them out (cut "
                        "--frames) or write .mcap");
    if (compressor_) compressor_->finish();
    return file_.close();
}

}  // namespace ositrace
