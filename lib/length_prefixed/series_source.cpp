// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/open_length_prefixed.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>

#include "formats/core/too_few_bytes.hpp"
#include "formats/framing/length_prefix.hpp"

namespace ositrace {

namespace {

/// Field 1 of SensorDataSeries, sensor_data, which is its only one: the tag of a length-prefixed field.
constexpr std::byte sensor_data_tag{0x0a};
constexpr int longest_varint = 10;

class SeriesSource final : public ByteSource {
public:
    SeriesSource(std::unique_ptr<ByteSource> series, std::function<void(const SkippedBytes&)> on_skip)
        : series_(std::move(series)), on_skip_(std::move(on_skip))
    {
    }

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override;
    const std::filesystem::path& name() const noexcept override { return series_->name(); }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return series_->bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return series_->bytes_total(); }

private:
    bool next_message(const std::stop_token& stop);
    bool find_message(const std::stop_token& stop);
    void skip_frame(const Error& why, const std::stop_token& stop);
    bool fill(const std::stop_token& stop);
    std::byte take_byte(const std::stop_token& stop);
    std::uint64_t take_varint(const std::stop_token& stop);
    [[noreturn]] void fail(Cause cause, const std::string& why) const
    {
        throw Error(cause, {.file = name(), .frame = frame_, .offset = offset_}, why);
    }

    std::unique_ptr<ByteSource> series_;
    std::function<void(const SkippedBytes&)> on_skip_;  ///< null: damage is an error
    std::array<std::byte, 65536> buffer_{};
    std::size_t at_ = 0, filled_ = 0;  ///< of buffer_
    std::uint64_t offset_ = 0;         ///< in the file, of buffer_[at_]
    std::uint64_t frame_ = 0;
    std::uint64_t left_of_frame_ = 0;
    std::uint64_t left_of_message_ = 0;
    std::array<std::byte, length_prefix::prefix_bytes> prefix_{};  ///< of the message
    std::size_t prefix_given_ = length_prefix::prefix_bytes;
    bool first_ = true;  ///< no frame has begun
};

bool SeriesSource::fill(const std::stop_token& stop)
{
    if (at_ == filled_) {
        at_ = 0;
        filled_ = series_->read(buffer_, stop);
    }
    return filled_ != 0;
}

/// Within a frame.
std::byte SeriesSource::take_byte(const std::stop_token& stop)
{
    if (left_of_frame_ == 0) fail(Cause::malformed, "the frame ends within a field of its SensorDataSeries");
    if (!fill(stop)) fail(Cause::truncated, "the file is truncated: it ends within a frame");
    --left_of_frame_;
    ++offset_;
    return buffer_[at_++];
}

std::uint64_t SeriesSource::take_varint(const std::stop_token& stop)
{
    std::uint64_t value = 0;
    for (int i = 0; i < longest_varint; ++i) {
        const auto byte = std::to_integer<std::uint64_t>(take_byte(stop));
        value |= (byte & 0x7f) << (7 * i);
        if (byte < 0x80) return value;
    }
    fail(Cause::malformed, "a length of more than 10 bytes");
}

bool SeriesSource::next_message(const std::stop_token& stop)
{
    while (true) try {
            return find_message(stop);
        } catch (const Error& error) {
            if (!on_skip_ || stop.stop_requested()) throw;
            skip_frame(error, stop);
        }
}

void SeriesSource::skip_frame(const Error& why, const std::stop_token& stop)
{
    const auto from = offset_;
    while (left_of_frame_ != 0 && fill(stop)) {
        const auto count = std::min<std::uint64_t>(left_of_frame_, filled_ - at_);
        at_ += static_cast<std::size_t>(count);
        offset_ += count;
        left_of_frame_ -= count;
    }
    left_of_frame_ = 0;
    on_skip_({frame_, from, offset_ - from, why});
}

/// Reads up to the bytes of the next SensorData; false at the end of the file.
bool SeriesSource::find_message(const std::stop_token& stop)
{
    while (left_of_frame_ == 0) {
        std::array<std::byte, length_prefix::prefix_bytes> length{};
        for (std::size_t i = 0; i < length.size(); ++i) {
            if (!fill(stop)) {
                if (i == 0 || stop.stop_requested()) return false;
                fail(Cause::truncated, "the file is truncated: it ends within a length prefix");
            }
            length[i] = buffer_[at_++];
            ++offset_;
        }
        if (!std::exchange(first_, false)) ++frame_;
        left_of_frame_ = load_le32(length.data());
    }
    const auto tag = take_byte(stop);
    if (tag != sensor_data_tag)
        fail(Cause::malformed, "no SensorDataSeries: found the field tag " + std::to_string(std::to_integer<int>(tag)) +
                                   ", expected 10 (sensor_data)");
    const auto length = take_varint(stop);
    if (length > left_of_frame_)
        fail(Cause::malformed, "a SensorData of " + std::to_string(length) + " bytes in the " +
                                   byte_count(left_of_frame_) + " that " + is_or_are(left_of_frame_) +
                                   " left of its frame");
    left_of_message_ = length;
    store_le32(prefix_.data(), static_cast<std::uint32_t>(length));
    prefix_given_ = 0;
    return true;
}

std::size_t SeriesSource::read(std::span<std::byte> into, std::stop_token stop)
{
    if (prefix_given_ == prefix_.size() && left_of_message_ == 0 && !next_message(stop)) return 0;
    if (prefix_given_ < prefix_.size()) {
        const auto count = std::min(into.size(), prefix_.size() - prefix_given_);
        std::copy_n(prefix_.begin() + static_cast<std::ptrdiff_t>(prefix_given_), count, into.begin());
        prefix_given_ += count;
        return count;
    }
    if (!fill(stop)) {
        if (stop.stop_requested() || on_skip_) return 0;  // the reader of the messages skips what there is of this one
        fail(Cause::truncated, "the file is truncated: it ends within a frame");
    }
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>({into.size(), filled_ - at_, left_of_message_}));
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), count, into.begin());
    at_ += count;
    offset_ += count;
    left_of_message_ -= count;
    left_of_frame_ -= count;
    return count;
}

}  // namespace

std::unique_ptr<ByteSource> unpacked_series(std::unique_ptr<ByteSource> series,
                                            std::function<void(const SkippedBytes&)> on_skip)
{
    return std::make_unique<SeriesSource>(std::move(series), std::move(on_skip));
}

}  // namespace ositrace
