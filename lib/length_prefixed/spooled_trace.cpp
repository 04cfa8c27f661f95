// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/spooled_trace.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/length_prefixed_trace.hpp"

namespace ositrace {

namespace {

/// The frames of a stream as bytes of an `.osi` file.
class FramedBytes final : public ByteSource {
public:
    explicit FramedBytes(FrameSource& frames) : frames_(frames) {}

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override
    {
        while (prefix_left_.empty() && payload_left_.empty())
            if (!next(stop)) return 0;
        return take(prefix_left_.empty() ? payload_left_ : prefix_left_, into);
    }
    const std::filesystem::path& name() const noexcept override { return frames_.info().file; }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return frames_.bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return frames_.bytes_total(); }

private:
    bool next(const std::stop_token& stop)
    {
        if (!frames_.read(frame_, stop)) return false;
        store_le32(prefix_.data(), static_cast<std::uint32_t>(frame_.bytes.size()));
        prefix_left_ = prefix_;
        payload_left_ = frame_.bytes;
        return true;
    }

    static std::size_t take(Bytes& from, std::span<std::byte> into)
    {
        const auto count = std::min(from.size(), into.size());
        std::memcpy(into.data(), from.data(), count);
        from = from.subspan(count);
        return count;
    }

    FrameSource& frames_;
    Frame frame_;
    std::array<std::byte, length_prefix::prefix_bytes> prefix_{};
    Bytes prefix_left_;
    Bytes payload_left_;
};

}  // namespace

std::shared_ptr<const Trace> spooled_trace(FrameSource& frames, const OpenOptions& options)
{
    if (options.before_whole_read) options.before_whole_read();
    FramedBytes bytes(frames);
    LengthPrefixedTraceOptions trace;
    trace.max_message_bytes = max_encodable_bytes;
    trace.keep_empty = true;  // an empty line of text is a message
    return std::make_shared<LengthPrefixedTrace>(unpacked_file(bytes, options.stop), frames.info(), std::move(trace));
}

}  // namespace ositrace
