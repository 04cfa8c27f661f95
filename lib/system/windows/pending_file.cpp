// SPDX-License-Identifier: MPL-2.0
#include "lib/system/pending_file.hpp"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/system/system_error.hpp"
#include "lib/system/whole_name.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

DWORD attributes_of(const std::filesystem::path& file) { return ::GetFileAttributesW(native_name(file).c_str()); }

bool is_folder(DWORD attributes)
{
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/// Somebody has opened it, so that it cannot be removed; `share` 0: or at all.
bool is_in_use(const std::filesystem::path& file, DWORD share = share_all)
{
    const auto there = own(::CreateFileW(native_name(file).c_str(), DELETE, share, nullptr, OPEN_EXISTING,
                                         FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    return !there && ::GetLastError() == ERROR_SHARING_VIOLATION;
}

/// Removes what a writer that was killed left: one that runs has it open, and does not let anybody remove it.
void remove_abandoned(const std::filesystem::path& parent)
{
    std::error_code failed;
    for (std::filesystem::directory_iterator entries(parent, failed), end; !failed && entries != end;
         entries.increment(failed)) {
        const auto& path = entries->path();
        std::error_code ignored;
        if (pending::is_hidden_name(path.filename().string()) && !is_in_use(path))
            std::filesystem::remove_all(path, ignored);
    }
}

/// The file is removed when it is closed, also at the end of the process.
bool set_removed_when_closed(const FileHandle& file, bool removed) noexcept
{
    FILE_DISPOSITION_INFO disposition{};
    disposition.DeleteFile = removed ? TRUE : FALSE;
    return ::SetFileInformationByHandle(handle_of(file), FileDispositionInfo, &disposition, sizeof disposition) != 0;
}

// In the headers of this compiler only since its version 11.
struct RenameInformation {
    DWORD flags;
    HANDLE root;
    DWORD name_bytes;
    wchar_t name[1];
};
constexpr auto rename_information_ex = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
constexpr DWORD replace_if_exists = 1, posix_semantics = 2;

/// Gives an open file another name, in one step; `replace`: also that of another file.
DWORD rename_open(const FileHandle& file, const std::filesystem::path& to, bool replace)
{
    const auto name = native_name(whole_name(to));
    std::vector<std::byte> memory(sizeof(RenameInformation) + name.size() * sizeof(wchar_t));
    auto* const information = new (memory.data()) RenameInformation{};
    information->name_bytes = static_cast<DWORD>(name.size() * sizeof(wchar_t));
    std::memcpy(information->name, name.c_str(), (name.size() + 1) * sizeof(wchar_t));
    const auto size = static_cast<DWORD>(memory.size());
    // Also of a file that somebody reads, who keeps the old one; not on every file system.
    information->flags = posix_semantics | (replace ? replace_if_exists : 0);
    if (::SetFileInformationByHandle(handle_of(file), rename_information_ex, information, size) != 0)
        return ERROR_SUCCESS;
    const auto error = ::GetLastError();
    if (error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS) return error;
    information->flags = replace ? 1 : 0;
    if (::SetFileInformationByHandle(handle_of(file), FileRenameInfo, information, size) != 0) return ERROR_SUCCESS;
    return ::GetLastError();
}

}  // namespace

class PendingFile::Implementation {
public:
    Implementation(std::filesystem::path target, bool overwrite, Temporary preferred)
        : target_(std::move(target)), kind_(preferred), overwrite_(overwrite)
    {
        file_name_ = pending::follow_links(target_);
        if (file_name_.filename().empty()) fail(target_.empty() ? ERROR_FILE_NOT_FOUND : ERROR_ALREADY_EXISTS);
        parent_ = file_name_.has_parent_path() ? file_name_.parent_path() : ".";
        check_parent();
        refuse_existing();
        if (kind_ == Temporary::part)
            open_part();
        else
            open_hidden();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation()
    {
        file_.close();
        if (hidden_.empty() || kept_) return;
        std::error_code ignored;
        std::filesystem::remove_all(hidden_, ignored);
    }

    [[nodiscard]] const FileHandle& file() const noexcept { return file_; }
    [[nodiscard]] std::filesystem::path path() const { return hidden_; }
    void discard() noexcept { kept_ = false; }
    void publish(bool sync);

private:
    void check_parent() const;
    void refuse_existing() const;
    [[nodiscard]] FileHandle made(const std::filesystem::path& file) const;
    void open_hidden();
    void open_part();
    [[nodiscard]] DWORD move() const;
    [[noreturn]] void fail(DWORD code) const;

    std::filesystem::path target_;     ///< as the caller names it: for messages
    std::filesystem::path file_name_;  ///< links followed
    std::filesystem::path parent_;
    FileHandle file_;
    std::filesystem::path hidden_;
    bool kept_ = false;  ///< unpublished, too
    Temporary kind_;
    bool overwrite_;
};

void PendingFile::Implementation::check_parent() const
{
    const auto attributes = attributes_of(parent_);
    if (is_folder(attributes)) return;
    throw Error(Cause::io, {.file = target_},
                attributes == INVALID_FILE_ATTRIBUTES ? "folder " + parent_.string() + " does not exist"
                                                      : parent_.string() + " is not a folder");
}

void PendingFile::Implementation::refuse_existing() const
{
    const auto attributes = attributes_of(file_name_);
    if (attributes == INVALID_FILE_ATTRIBUTES) return;
    if (is_folder(attributes) && kind_ != Temporary::folder)
        throw_system_error(std::make_error_code(std::errc::is_a_directory), target_);
    if (!overwrite_) throw already_exists(target_);
}

/// A new file or folder of that name, opened so that nobody else can remove or rename it; none with an error of
/// Windows.
FileHandle PendingFile::Implementation::made(const std::filesystem::path& file) const
{
    const auto name = native_name(file);
    switch (kind_) {
    case Temporary::folder:
        if (::CreateDirectoryW(name.c_str(), nullptr) == 0) return {};
        return own(::CreateFileW(name.c_str(), FILE_READ_ATTRIBUTES | SYNCHRONIZE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                 nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    case Temporary::hidden:  // others write it by its name, and may not know that a file can be shared for removal
        return own(::CreateFileW(name.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, CREATE_NEW,
                                 FILE_ATTRIBUTE_NORMAL, nullptr));
    case Temporary::unnamed:
    case Temporary::part: break;
    }
    return own(::CreateFileW(name.c_str(), GENERIC_WRITE | DELETE, FILE_SHARE_READ, nullptr, CREATE_NEW,
                             FILE_ATTRIBUTE_NORMAL, nullptr));
}

void PendingFile::Implementation::open_hidden()
{
    remove_abandoned(parent_);
    do {
        hidden_ = parent_ / pending::next_hidden_name(::GetCurrentProcessId());
        file_ = made(hidden_);
    } while (!file_ && (::GetLastError() == ERROR_FILE_EXISTS || ::GetLastError() == ERROR_ALREADY_EXISTS));
    if (!file_) {
        const auto error = ::GetLastError();
        hidden_.clear();
        fail(error);
    }
    if (kind_ == Temporary::unnamed) set_removed_when_closed(file_, true);  // else the next writer removes it
}

void PendingFile::Implementation::open_part()
{
    const auto add = [](std::filesystem::path file) { return file += ".part"; };
    const auto part = add(target_);
    hidden_ = add(file_name_);
    if (is_in_use(hidden_)) {
        hidden_.clear();
        throw pending::part_in_use(part);
    }
    if (overwrite_) ::DeleteFileW(native_name(hidden_).c_str());
    file_ = made(hidden_);
    if (file_) {
        kept_ = true;
        return;
    }
    const auto error = last_error();
    hidden_.clear();
    if (error == std::errc::file_exists) throw pending::part_exists(part);
    throw_system_error(error, part);
}

void PendingFile::Implementation::publish(bool sync)
{
    const bool written_here = kind_ == Temporary::unnamed || kind_ == Temporary::part;
    if (sync && kind_ != Temporary::folder && ::FlushFileBuffers(handle_of(file_)) == 0) fail(::GetLastError());
    if (kind_ == Temporary::unnamed) set_removed_when_closed(file_, false);
    if (!written_here) file_.close();  // without the right to rename it
    if (const auto failed = written_here ? rename_open(file_, file_name_, overwrite_) : move();
        failed != ERROR_SUCCESS) {
        if (kind_ == Temporary::unnamed) set_removed_when_closed(file_, true);
        fail(failed);
    }
    hidden_.clear();
}

DWORD PendingFile::Implementation::move() const
{
    const DWORD flags = MOVEFILE_WRITE_THROUGH | (overwrite_ ? MOVEFILE_REPLACE_EXISTING : 0);
    const bool moved = ::MoveFileExW(native_name(hidden_).c_str(), native_name(file_name_).c_str(), flags) != 0;
    if (moved) return ERROR_SUCCESS;
    const auto error = ::GetLastError();
    if (error == ERROR_FILE_NOT_FOUND) throw pending::temporary_is_gone(target_, hidden_.filename().string());
    return error;
}

void PendingFile::Implementation::fail(DWORD code) const
{
    if (code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS) throw already_exists(target_);
    const bool in_use = code == ERROR_ACCESS_DENIED && is_in_use(file_name_, 0);
    throw_system_error(error_of(in_use ? ERROR_SHARING_VIOLATION : code), target_);
}

PendingFile::PendingFile(std::filesystem::path target, bool overwrite, Temporary preferred)
    : implementation_(std::make_unique<Implementation>(std::move(target), overwrite, preferred))
{
}

PendingFile::~PendingFile() = default;
const FileHandle& PendingFile::file() const noexcept { return implementation_->file(); }
std::filesystem::path PendingFile::path() const { return implementation_->path(); }
void PendingFile::publish(bool sync) { implementation_->publish(sync); }
void PendingFile::discard() noexcept { implementation_->discard(); }

}  // namespace ositrace
