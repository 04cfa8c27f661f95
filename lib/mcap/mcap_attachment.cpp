// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_attachment.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/core/message_limit.hpp"
#include "lib/io/random_access.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

using mcap::record_prefix_bytes;

namespace {

constexpr std::size_t attachment_crc_bytes = 4;
/// Read first, which is enough for usual names.
constexpr std::size_t usual_front_bytes = 4096;
constexpr std::size_t max_front_bytes = std::size_t{16} << 20;
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
/// An attachment up to this is kept in memory, while all of them are not too many.
constexpr std::size_t small_attachment_bytes = std::size_t{64} << 10;
constexpr std::size_t max_bytes_in_memory = std::size_t{16} << 20;

/// CRC of the content of the record: of the bytes before the data, and as the record states it.
struct Crc {
    std::uint32_t of_front = 0;
    std::uint32_t expected = 0;
    Location place{};  ///< of the record

    void check(std::uint32_t found, const std::string& name) const
    {
        if (expected == 0 || found == expected) return;
        throw Error(Cause::malformed, place,
                    "the attachment '" + name + "' is damaged: the CRC of its bytes is " + std::to_string(found) +
                        ", expected " + std::to_string(expected));
    }
};

Attachment described(const mcap::AttachmentFront& front)
{
    Attachment result;
    result.name = front.attachment.name;
    result.media_type = front.attachment.media_type;
    result.log_time = mcap_time(front.attachment.log_time, "log_time");
    result.create_time = mcap_time(front.attachment.create_time, "create_time");
    result.bytes = front.data_size;
    return result;
}

auto contents(std::shared_ptr<const RandomAccess> file, std::uint64_t offset, std::uint64_t size, Crc crc,
              std::string name)
{
    return [=](const std::function<void(Bytes)>& take) {
        std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(size, piece_bytes)));
        auto found = crc.of_front;
        for (std::uint64_t done = 0; done != size;) {
            const auto next = std::span(piece).first(std::min<std::uint64_t>(size - done, piece.size()));
            read_exactly(*file, offset + done, next);
            found = crc32(next, found);
            take(next);
            done += next.size();
        }
        crc.check(found, name);
    };
}

void check_size(const mcap::AttachmentFront& front, std::uint64_t length)
{
    const auto around = front.data_offset + attachment_crc_bytes;
    if (length < around || front.data_size > length - around)
        throw Error(Cause::malformed, "an Attachment record of " + std::to_string(length) + " bytes announces " +
                                          std::to_string(front.data_size) + " bytes of data");
}

/// Reads more of the first bytes until they contain names and length. `look(n)`: the first n bytes of the content,
/// or fewer.
template <class Look>
std::pair<mcap::AttachmentFront, Bytes> find_front(std::uint64_t length, Look&& look)
{
    for (std::size_t wanted = usual_front_bytes;; wanted *= 8) {
        const auto bytes = look(static_cast<std::size_t>(std::min<std::uint64_t>(wanted, length)));
        if (const auto front = mcap::parse_attachment_front(bytes)) {
            check_size(*front, length);
            return {*front, bytes.first(static_cast<std::size_t>(front->data_offset))};
        }
        if (bytes.size() < std::min<std::uint64_t>(wanted, length))
            throw Error(Cause::truncated, "the file is truncated: it ends in an Attachment record");
        if (bytes.size() == length) static_cast<void>(mcap::parse_attachment(bytes));  // throws
        if (wanted > max_front_bytes)
            throw Error(Cause::limit, "the name of an attachment" + exceeds(max_front_bytes, "bytes"));
    }
}

/// The next so many bytes of an input.
class Excerpt final : public ByteSource {
public:
    Excerpt(WindowedInput& input, std::uint64_t bytes) : input_(input), left_(bytes) {}

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override
    {
        if (left_ == 0) return 0;
        const auto there = input_.buffered().empty() ? input_.ensure(1, stop) : input_.buffered();
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>({there.size(), into.size(), left_}));
        if (count != 0) std::memcpy(into.data(), there.data(), count);
        input_.consume(count);
        left_ -= count;
        if (count == 0 && !stop.stop_requested())
            throw Error(Cause::truncated, "the file is truncated: it ends in an attachment, " + std::to_string(left_) +
                                              " bytes are missing");
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return input_.source().name(); }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return input_.source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    WindowedInput& input_;
    std::uint64_t left_;
};

}  // namespace

namespace {

/// And how many bytes of the record follow it.
std::pair<Attachment, std::uint64_t> attachment_and_rest(const std::shared_ptr<const RandomAccess>& file,
                                                         std::uint64_t content, std::uint64_t length)
try {
    std::vector<std::byte> bytes;
    const auto [front, front_bytes] = find_front(length, [&](std::size_t count) {
        bytes.resize(count);
        return Bytes(bytes).first(file->read_at(content, bytes));
    });
    auto result = described(front);
    std::array<std::byte, attachment_crc_bytes> crc{};
    const auto data = content + front.data_offset;
    if (file->read_at(data + front.data_size, crc) != attachment_crc_bytes)
        throw Error(Cause::truncated, "the file is truncated: it ends in an Attachment record");
    result.read = contents(
        file, data, front.data_size,
        {crc32(front_bytes), load_le32(crc.data()), {.file = file->name(), .offset = content - record_prefix_bytes}},
        result.name);
    return {std::move(result), length - front.data_offset - front.data_size - attachment_crc_bytes};
} catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    throw error.moved_to({.file = file->name(), .offset = content - record_prefix_bytes});
}

}  // namespace

Attachment attachment_in_file(const std::shared_ptr<const RandomAccess>& file, std::uint64_t content,
                              std::uint64_t length)
{
    return attachment_and_rest(file, content, length).first;
}

std::optional<AttachmentTaker::Taken> AttachmentTaker::take(WindowedInput& input, std::uint64_t length,
                                                            const std::stop_token& stop)
{
    const auto content = input.offset() + record_prefix_bytes;
    if (stays_) {
        if (!file_) file_ = input.source().random_access();
        auto [attachment, after] = attachment_and_rest(file_, content, length);
        input.consume(record_prefix_bytes);
        return Taken{std::move(attachment), length, after};
    }
    const auto [front, front_bytes] = find_front(length, [&](std::size_t count) {
        const auto bytes = input.ensure(record_prefix_bytes + count, stop).subspan(record_prefix_bytes);
        return bytes.first(std::min(count, bytes.size()));
    });
    const auto left = length - front.data_offset - front.data_size - attachment_crc_bytes;
    Taken taken{described(front), left, left};
    Crc crc{crc32(front_bytes), 0, {.file = input.source().name(), .offset = content - record_prefix_bytes}};
    input.consume(record_prefix_bytes + front_bytes.size());

    std::shared_ptr<const RandomAccess> kept;
    Excerpt data(input, front.data_size);
    if (front.data_size <= small_attachment_bytes && in_memory_ + front.data_size <= max_bytes_in_memory) {
        const auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(front.data_size));
        in_memory_ += bytes->size();
        read_fully(data, *bytes, stop);
        kept = in_memory(*bytes, data.name(), bytes);
    } else {
        kept = unpacked_file(data, stop);
    }
    const auto after = input.ensure(attachment_crc_bytes, stop);
    if (stop.stop_requested()) return std::nullopt;
    if (after.size() < attachment_crc_bytes)
        throw Error(Cause::truncated, "the file is truncated: it ends in an Attachment record");
    crc.expected = load_le32(after.data());
    input.consume(attachment_crc_bytes);
    taken.attachment.read = contents(std::move(kept), 0, front.data_size, crc, taken.attachment.name);
    return taken;
}

}  // namespace ositrace
