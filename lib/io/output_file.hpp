// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>

#include "lib/io/byte_sink.hpp"
#include "lib/io/file_handle.hpp"

namespace ositrace {

/// What every output that exists is refused with: `run.osi exists. Use --overwrite to replace it.`
[[nodiscard]] Error already_exists(const std::filesystem::path& file);

/// A new file, or folder, that gets its name at publish(). Until then it has none, so that its destruction, or the end
/// of the process, leaves nothing. Where the file system has no unnamed files (NFS, older overlayfs), its name is
/// hidden:
/// `.ositrace-<process>-<n>.tmp` in the directory of the target, locked (flock) while it is written. After a kill it
/// remains until the next hidden file in that directory is created.
class PendingFile {
public:
    enum class Temporary : std::uint8_t {
        unnamed,
        hidden,
        /// `<target>.part`, which remains when it is not published: for recordings. Locked (flock) while it is written:
        /// another process does not replace it then.
        part,
        /// A hidden folder.
        folder,
    };

    /// A symbolic link is followed: the file that it refers to is created or replaced. The mode is 0666 less the umask.
    /// Throws Error: exists (without `overwrite`; a `.part` of an earlier recording, too), io (no such
    /// directory, no permission, the target is a directory).
    PendingFile(std::filesystem::path target, bool overwrite, Temporary preferred = Temporary::unnamed);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();

    /// For writing, except of a folder; owned by this object.
    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }
    /// Until publish(), of one that has a name.
    [[nodiscard]] std::filesystem::path path() const { return parent_ / hidden_name_; }

    /// Gives the file its name in one atomic step. `sync`: contents and name are on the disk when it returns. Throws
    /// Error: exists when another file got the name meanwhile (without `overwrite`), io; also when the temporary file
    /// was replaced.
    void publish(bool sync);
    /// Remove a `.part`, too.
    void discard() noexcept { kept_ = false; }

private:
    void refuse_existing() const;
    bool open_unnamed();
    [[nodiscard]] FileHandle made(const std::string& name) const;
    void open_hidden();
    void open_part();
    void sync_directory() const;
    /// 0 or errno; the first two do not replace an existing target.
    int link_unnamed(const std::string& name) const;
    int move_hidden() const;
    int replace();
    void check_is_ours() const;
    [[noreturn]] void fail(int code) const;

    std::filesystem::path target_;  ///< as the caller names it: for messages
    std::filesystem::path parent_;  ///< of name_
    std::string name_;              ///< in directory_, links followed
    FileHandle directory_;
    FileHandle file_;
    std::string hidden_name_;  ///< in directory_; empty while the file has no name
    bool kept_ = false;        ///< unpublished, too
    bool is_folder_;
    bool overwrite_;
};

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
    void open_in_place(int descriptor);
    void put(Bytes head, Bytes body);
    void start_to_disk() noexcept;

    std::filesystem::path file_;
    OutputOptions options_;
    std::unique_ptr<PendingFile> pending_;
    FileHandle in_place_;
    int descriptor_ = -1;      ///< of one of the two
    bool may_break_ = false;   ///< a pipe or socket, whose reader may go away
    bool incomplete_ = false;  ///< a write failed
    ByteBuffer buffer_;
    std::uint64_t size_ = 0;
    std::uint64_t to_disk_ = 0;  ///< where what is on its way ends
};

/// A path that is written in place: `-`, a descriptor of this process, a pipe or a device.
[[nodiscard]] bool is_written_in_place(const std::filesystem::path& file);

}  // namespace ositrace
