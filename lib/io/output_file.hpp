// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>

#include "lib/io/byte_sink.hpp"
#include "lib/system/output.hpp"
#include "lib/system/pending_file.hpp"

namespace ositrace {

struct OutputOptions {
    bool overwrite = false;  ///< replace an existing file
    bool recording = false;  ///< a visible `.part` until close(), which remains when the process dies
    bool sync = true;        ///< a new file is on the disk when close() returns
};

/// An output: a file that gets its name at close() (see PendingFile), or a pipe or device that is written in place.
/// `-`, `/dev/stdout` and `/dev/fd/N` are descriptors of this process. Small pieces are buffered, large ones are
/// written without a copy. Every Error (io, exists) names the file.
class OutputFile final : public ByteSink {
public:
    static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
    /// From this size on a copy into the buffer costs more than a system call.
    static constexpr std::size_t large_bytes = std::size_t{64} << 10;

    explicit OutputFile(const std::filesystem::path& file, OutputOptions options = {});

    using ByteSink::write;
    void write(Bytes head, Bytes body) override;
    void flush() override;
    /// Writes the rest and publishes; returns the number of bytes written. Throws after a write that failed.
    std::uint64_t close();
    /// Remove the `.part` when this object is destroyed without close().
    void discard() noexcept;

    /// Bytes written so far, buffered ones included.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// A pipe, a device or a descriptor, whose output cannot be undone.
    [[nodiscard]] bool in_place() const noexcept { return pending_ == nullptr; }

private:
    void put(Bytes head, Bytes body);
    void start_large_part() noexcept;

    std::filesystem::path file_;
    OutputOptions options_;
    std::unique_ptr<PendingFile> pending_;
    FileHandle in_place_;
    const FileHandle* output_ = nullptr;  ///< of one of the two; null once it is closed
    bool may_break_ = false;              ///< a pipe or socket, whose reader may go away
    bool incomplete_ = false;             ///< a write failed
    ByteBuffer buffer_;
    std::uint64_t size_ = 0;
    std::uint64_t to_disk_ = 0;  ///< where what is on its way ends
};

}  // namespace ositrace
