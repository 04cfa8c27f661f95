// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "lib/io/file_handle.hpp"

namespace ositrace {

/// A new file that appears under its name only at publish(). Destroyed before that it leaves nothing, and neither does
/// a process that is killed: until then the file has no name at all. Where the file system knows no unnamed files (NFS,
/// older overlayfs), it has a hidden one, `.ositrace-<process>-<n>.tmp` in the target's directory, locked (flock) as
/// long as it is written. Only a kill leaves it there, until the next hidden file of that directory is made.
class PendingFile {
public:
    enum class Temporary : std::uint8_t {
        unnamed,
        hidden,
        /// `<target>.part`, which stays when it is not published: for a recording, whose beginning is worth having.
        /// Locked (flock) as long as it is written: nobody replaces one that is.
        part,
    };

    /// A symbolic link is followed: the file it points to is made or replaced, the link stays. The mode is 0666 less
    /// the umask. Throws Error: exists (without `overwrite`; a `.part` of an earlier recording, too), io (no such
    /// directory, no permission, the target is a directory).
    PendingFile(std::filesystem::path target, bool overwrite, Temporary preferred = Temporary::unnamed);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();

    /// For writing; the descriptor stays this object's.
    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

    /// Gives the file its name in one atomic step. `sync`: contents and name are on the disk when it returns.
    /// Throws Error: exists when another file took the name meanwhile (without `overwrite`), io; also when the
    /// temporary one was replaced.
    void publish(bool sync);
    /// A `.part` does not stay either.
    void discard() noexcept { kept_ = false; }

private:
    void refuse_existing() const;
    bool open_unnamed();
    void open_hidden();
    void open_part();
    void sync_directory() const;
    /// 0 or errno; the first two leave an existing target alone.
    int link_unnamed(const std::string& name) const;
    int move_hidden() const;
    int replace();
    void check_is_ours() const;
    [[noreturn]] void fail(int code) const;

    std::filesystem::path target_;  ///< as the caller calls it: for messages
    std::string name_;              ///< in directory_, links followed
    FileHandle directory_;
    FileHandle file_;
    std::string hidden_name_;  ///< in directory_; empty while the file has no name
    bool kept_ = false;        ///< unpublished, too
    bool overwrite_;
};

/// What closing the descriptor would report (network file systems tell of a full disk only then): 0 or errno. It stays
/// open.
[[nodiscard]] int flush_to_system(int descriptor) noexcept;

}  // namespace ositrace
