// SPDX-License-Identifier: MPL-2.0
#include "lib/io/windowed_input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/core/crc32.hpp"

namespace ositrace {

namespace {

/// The first allocation for an unconfirmed length.
constexpr std::size_t first_unconfirmed_bytes = std::size_t{4} << 20;
/// The number of bytes read at once where the next call may skip again.
constexpr std::size_t bytes_after_skip = std::size_t{32} << 10;
/// The number that is read first: often only the beginning is wanted, and an object store is far away.
constexpr std::size_t first_bytes = std::size_t{16} << 10;

}  // namespace

WindowedInput::WindowedInput(std::unique_ptr<ByteSource> source, std::uint64_t offset)
    : source_(std::move(source)), small_read_(first_bytes), offset_(offset)
{
}

Bytes WindowedInput::ensure(std::size_t count, const std::stop_token& stop, std::size_t extra,
                            const std::function<void(Bytes)>& on_piece)
{
    const auto most = on_piece ? piece_bytes : SIZE_MAX;
    while (end_ - begin_ < count) {
        make_room(count, extra);
        const auto room = std::min(most, room_for(count - (end_ - begin_)));
        const auto got = source_->read({block_->data() + end_, room}, stop);
        if (got == 0) break;
        end_ += got;
        if (on_piece) on_piece(buffered());
    }
    return buffered();
}

std::size_t WindowedInput::room_for(std::size_t missing) noexcept
{
    const auto room = std::min(limit_, block_->capacity()) - end_;
    const auto small = std::exchange(small_read_, 0);
    return small == 0 ? room : std::min(room, std::max(missing, small));
}

void WindowedInput::skip(std::uint64_t count, const std::stop_token& stop)
{
    while (count != 0) {
        const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(count, end_ - begin_));
        consume(here);
        count -= here;
        if (count != 0 && source_->skip(count)) {
            offset_ += count;
            small_read_ = bytes_after_skip;
            crc_.reset();
            return;
        }
        if (count != 0 && ensure(1, stop).empty()) return;
    }
}

std::shared_ptr<const void> WindowedInput::owner() noexcept
{
    lent_ = true;
    return block_;
}

void WindowedInput::consume(std::size_t count) noexcept
{
    if (crc_) crc_ = crc32(buffered().first(count), *crc_);
    begin_ += count;
    offset_ += count;
}

/// Afterwards the block has room for `count` bytes from begin_ on (where the length is unconfirmed, for some more than
/// it holds).
void WindowedInput::make_room(std::size_t count, std::size_t extra)
{
    const bool fits = block_ && limit_ - begin_ >= count;
    if (fits && end_ < block_->capacity()) return;
    if (fits && !lent_) {
        block_->grow(std::min(limit_, block_->capacity() * 2));
        return;
    }
    if (count > large_bytes && block_ && !lent_ && block_->capacity() - begin_ >= count) {  // its spare room is enough
        limit_ = std::min(block_->capacity(), begin_ + count + extra);
        return;
    }
    const auto have = end_ - begin_;
    const auto wanted = count > large_bytes ? count + extra : window_bytes;
    const auto capacity = std::max(first_capacity(wanted), have * 2);
    if (have > first_unconfirmed_bytes && !lent_) {  // a second block would double the memory
        if (begin_ != 0) std::memmove(block_->data(), block_->data() + begin_, have);
        block_->grow(capacity);
        begin_ = 0;
        end_ = have;
        limit_ = wanted;
        return;
    }
    auto next = pool_.take(capacity);
    if (have != 0) std::memcpy(next->data(), block_->data() + begin_, have);
    block_ = std::move(next);
    begin_ = 0;
    end_ = have;
    limit_ = wanted;
    lent_ = false;
}

std::size_t WindowedInput::first_capacity(std::size_t wanted) const
{
    const auto end = source_->end();
    const auto confirmed = end && *end > offset_ ? *end - offset_ : 0;
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(wanted, std::max<std::uint64_t>(confirmed, first_unconfirmed_bytes)));
}

}  // namespace ositrace
