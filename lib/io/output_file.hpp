// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include <ositrace/byte_buffer.hpp>

#include "lib/io/byte_sink.hpp"
#include "lib/io/file_handle.hpp"
#include "lib/io/pending_file.hpp"

namespace ositrace {

struct OutputOptions {
    bool overwrite = false;  ///< replace a file that is there
    bool recording = false;  ///< a visible `.part` until close(), which stays when the process dies
    bool sync = true;        ///< a new file is on the disk when close() returns
};

/// An output: a file that appears under its name only at close() (see PendingFile), or a pipe or device that is written
/// in place.
/// `-`, `/dev/stdout` and `/dev/fd/N` are the descriptors of this process. Small pieces are collected in a buffer,
/// large ones are handed to the system where they lie. Every Error (io, exists) names the file.
class OutputFile final : public ByteSink {
public:
    static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
    /// From here on a copy into the buffer costs more than a system call.
    static constexpr std::size_t large_bytes = std::size_t{64} << 10;

    explicit OutputFile(const std::filesystem::path& file, OutputOptions options = {});

    using ByteSink::write;
    void write(Bytes head, Bytes body) override;
    void flush() override;
    /// Writes what is left and publishes; returns the bytes written. Refuses to publish after a write that failed.
    std::uint64_t close();
    /// Destroyed without close() it leaves no `.part`.
    void discard() noexcept;

    /// Bytes taken so far.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// A pipe, a device or a descriptor: what is written cannot be taken back.
    [[nodiscard]] bool in_place() const noexcept { return pending_ == nullptr; }

private:
    void open_in_place(int descriptor);
    void put(Bytes head, Bytes body);

    std::filesystem::path file_;
    OutputOptions options_;
    std::unique_ptr<PendingFile> pending_;
    FileHandle in_place_;
    int descriptor_ = -1;      ///< of one of the two
    bool may_break_ = false;   ///< a pipe or socket, whose reader may go away
    bool incomplete_ = false;  ///< a write failed
    ByteBuffer buffer_;
    std::uint64_t size_ = 0;
};

/// A path that is written in place: `-`, a descriptor of this process, a pipe or a device.
[[nodiscard]] bool is_written_in_place(const std::filesystem::path& file);

}  // namespace ositrace
