// SPDX-License-Identifier: MPL-2.0
#include "lib/io/damaged_compression.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

constexpr std::size_t probe_window_bytes = std::size_t{256} << 10;
/// After a wrong bit, deflate decodes other data up to the end of its block.
constexpr std::uint64_t looked_back_bytes = std::uint64_t{64} << 10;

/// Of gzip: checksum and length. Of lz4: end mark and checksum.
constexpr std::uint64_t max_trailer_bytes = 8;

}  // namespace

CompressionLog::News CompressionLog::take()
{
    const std::scoped_lock lock(mutex_);
    return {std::exchange(news_.damages, {}), news_.open_from};
}

void CompressionLog::confirm(std::uint64_t made)
{
    const std::scoped_lock lock(mutex_);
    news_.open_from = made;
}

void CompressionLog::add(CompressionDamage damage)
{
    constexpr std::size_t max_damages = 65'536;
    const std::scoped_lock lock(mutex_);
    news_.open_from = damage.to;
    if (news_.damages.size() < max_damages) return news_.damages.push_back(std::move(damage));
    auto& last = news_.damages.back();
    last.bytes += damage.bytes;
    last.to = damage.to;
}

DamagedCompression::DamagedCompression(const DecompressorRow& row, std::shared_ptr<const RandomAccess> file,
                                       std::shared_ptr<CompressionLog> log)
    : row_(row),
      file_(std::move(file)),
      log_(std::move(log)),
      decompressor_(row.create_for_damage()),
      input_(std::make_unique_for_overwrite<std::byte[]>(probe_window_bytes))
{
}

std::size_t DamagedCompression::read(std::span<std::byte> into, std::stop_token stop)
{
    while (decompressor_ && !stop.stop_requested()) {
        try {
            const auto done = step(into);
            if (done.made != 0) return done.made;
            if (done.taken != 0) continue;
            if (!waiting_.empty()) throw Error(Cause::malformed, corrupt_data(row_.compression, "bytes after its end"));
            if (refill()) continue;
            if (decompressor_->complete()) return 0;
            throw Error(Cause::truncated, "the file is truncated: it ends in the middle of its " +
                                              std::string(row_.compression) + " data");
        } catch (const Error& error) {
            if (error.cause() == Cause::io) throw;
            skip_damage(error, stop);
        }
    }
    return 0;
}

Decompressor::Step DamagedCompression::step(std::span<std::byte> into)
{
    const auto done = decompressor_->decompress(waiting_, into);
    waiting_ = waiting_.subspan(done.taken);
    taken_ += done.taken;
    made_ += done.made;
    if (done.made != 0) used_ = taken_;
    if (decompressor_->complete()) {
        used_ = frame_ = taken_;
        made_before_frame_ = made_;
        log_->confirm(made_);
    }
    return done;
}

bool DamagedCompression::refill()
{
    const auto count = file_->read_at(taken_, {input_.get(), probe_window_bytes}, 0);
    waiting_ = {input_.get(), count};
    return count != 0;
}

void DamagedCompression::skip_damage(const Error& error, const std::stop_token& stop)
{
    waiting_ = {};                                              // the search reads other parts of the file
    const bool all_output = error.damage() == Damage::bad_crc;  // all bytes that the checksum covers
    const auto after = std::max(frame_ + 1, used_);
    auto next = all_output ? next_frame(after, stop) : after;
    const bool only_checksum = all_output && next - used_ <= max_trailer_bytes;
    if (!only_checksum) {
        // A decoder may read beyond the next frames before it fails. The limit keeps a hostile file from restarting it
        // again and again.
        next = next_frame(std::max(frame_ + 1, used_ - std::min(used_, looked_back_bytes)), stop);
        if (next < used_ && again_ + (used_ - next) > file_->size()) next = next_frame(after, stop);
    }
    if (stop.stop_requested()) return;
    again_ += used_ - std::min(used_, next);
    const auto from = next < used_ ? frame_ : used_;
    const auto lost = only_checksum ? 0 : next - from;
    log_->add({from, lost, made_before_frame_, made_, error.within({.file = name(), .offset = from})});
    begin_frame(next);
}

void DamagedCompression::begin_frame(std::uint64_t offset)
{
    if (offset == file_->size())
        decompressor_ = nullptr;
    else
        decompressor_->restart();
    search_at(offset);
    waiting_ = Bytes(searched_).subspan(static_cast<std::size_t>(offset - searched_at_));
    taken_ = used_ = frame_ = offset;
    made_before_frame_ = made_;
}

/// Many places may look like the next frame: the file is read once for all of them.
void DamagedCompression::search_at(std::uint64_t offset)
{
    const bool has = offset >= searched_at_ &&
                     (offset + probed_compression_bytes <= searched_at_ + searched_.size() ||
                      (offset < searched_at_ + searched_.size() && searched_at_ + searched_.size() == file_->size()));
    if (has) return;
    searched_.resize(probe_window_bytes);
    searched_.resize(file_->read_at(offset, searched_, 0));
    searched_at_ = offset;
}

std::uint64_t DamagedCompression::next_frame(std::uint64_t from, const std::stop_token& stop)
{
    for (auto at = from; at < file_->size() && !stop.stop_requested();) {
        search_at(at);
        const auto bytes = Bytes(searched_).subspan(static_cast<std::size_t>(at - searched_at_));
        if (bytes.empty()) break;
        const bool to_the_end = at + bytes.size() >= file_->size();
        const auto searched = to_the_end ? bytes.size() : bytes.size() - (probed_compression_bytes - 1);
        for (std::size_t i = 0; i < searched; ++i) {
            const auto front = bytes.subspan(i, std::min(bytes.size() - i, probed_compression_bytes));
            if (row_.recognizes(front) && row_.may_begin(front)) return at + i;
        }
        at += searched;
    }
    return file_->size();
}

}  // namespace ositrace
