// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include <ositrace/error.hpp>

#include "lib/system/file.hpp"

namespace ositrace {

/// A new file, or folder, that gets its name at publish(). Until then it has none, so that its destruction, or the end
/// of the process, leaves nothing. Where the file system has no unnamed files (NFS, older overlayfs, Windows), its name
/// is hidden:
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

    /// For writing, except of a folder.
    [[nodiscard]] const FileHandle& file() const noexcept;
    /// Until publish(), of one that has a name.
    [[nodiscard]] std::filesystem::path path() const;

    /// Gives the file its name in one atomic step. `sync`: contents and name are on the disk when it returns. Throws
    /// Error: exists when another file got the name meanwhile (without `overwrite`), io; also when the temporary file
    /// was replaced.
    void publish(bool sync);
    /// Remove a `.part`, too.
    void discard() noexcept;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

namespace pending {

/// What is common to all systems.

/// Follows links as far as they lead.
[[nodiscard]] std::filesystem::path follow_links(std::filesystem::path file);
/// `.ositrace-<process>-<n>.tmp`
[[nodiscard]] std::string next_hidden_name(std::uint64_t process);
[[nodiscard]] bool is_hidden_name(std::string_view name);
/// Another process writes the `.part` file.
[[nodiscard]] Error part_in_use(const std::filesystem::path& part);
/// A `.part` file remains of a recording that did not end.
[[nodiscard]] Error part_exists(const std::filesystem::path& part);
/// The temporary file was removed or replaced before it was published.
[[nodiscard]] Error temporary_is_gone(const std::filesystem::path& target, const std::string& hidden_name);

}  // namespace pending

}  // namespace ositrace
