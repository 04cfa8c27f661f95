// SPDX-License-Identifier: MPL-2.0
#include "lib/io/output_file.hpp"

#include <array>

#include <ositrace/error.hpp>

#include "lib/system/system_error.hpp"

namespace ositrace {

OutputFile::OutputFile(const std::filesystem::path& file, OutputOptions options)
    : file_(file == "-" ? "standard output" : file), options_(options)
{
    if (is_written_in_place(file)) {
        in_place_ = open_in_place(file, file_);
        output_ = &in_place_;
        may_break_ = ositrace::may_break(in_place_);
    } else {
        pending_ = std::make_unique<PendingFile>(
            file, options.overwrite,
            options.recording ? PendingFile::Temporary::part : PendingFile::Temporary::unnamed);
        output_ = &pending_->file();
    }
    buffer_.clear(buffer_bytes);
}

void OutputFile::write(Bytes head, Bytes body)
{
    const auto bytes = head.size() + body.size();
    size_ += bytes;
    if (bytes >= large_bytes) return put(head, body);
    if (buffer_.size() + bytes > buffer_bytes) flush();
    buffer_.append(head);
    buffer_.append(body);
}

void OutputFile::flush() { put({}, {}); }

void OutputFile::put(Bytes head, Bytes body)
{
    if (incomplete_) throw Error(Cause::io, {.file = file_}, "a write failed before");
    incomplete_ = true;
    if (const auto error = write_pieces(*output_, std::array{Bytes(buffer_.bytes()), head, body}, may_break_))
        throw_system_error(error, file_);
    incomplete_ = false;
    buffer_.clear();
    if (pending_ && options_.sync) start_large_part();
}

// What close() waits for is on its way to the disk while the rest is made. Errors come again when close() waits.
void OutputFile::start_large_part() noexcept
{
    constexpr std::uint64_t at_once = std::uint64_t{8} << 20;
    if (size_ - to_disk_ < at_once) return;
    start_to_disk(*output_, to_disk_, size_ - to_disk_);
    to_disk_ = size_;
}

void OutputFile::discard() noexcept
{
    if (pending_) pending_->discard();
}

std::uint64_t OutputFile::close()
{
    if (output_ == nullptr) return size_;
    put({}, {});
    if (pending_) {
        pending_->publish(options_.sync);
        pending_.reset();
    } else if (const auto error = flush_to_system(in_place_)) {
        throw_system_error(error, file_);
    }
    in_place_ = {};
    output_ = nullptr;
    return size_;
}

}  // namespace ositrace
