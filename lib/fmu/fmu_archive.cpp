// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/fmu_archive.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

constexpr std::uint64_t max_entries = 10'000;
constexpr std::uint64_t max_unpacked_bytes = std::uint64_t{4} << 30;
/// Deflate packs nothing but zeros 1000 to 1; what models carry stays below this.
constexpr std::uint64_t max_ratio = 200;
constexpr std::uint64_t ratio_allowance = std::uint64_t{64} << 20;
constexpr std::size_t max_name_bytes = 1024;

[[noreturn]] void fail(const std::filesystem::path& file, Cause cause, std::string_view reason)
{
    throw Error(cause, {.file = file}, reason);
}

bool leaves_the_folder(std::string_view name)
{
    if (name.empty() || name.front() == '/' || (name.size() > 1 && name[1] == ':')) return true;
    for (std::size_t begin = 0; begin <= name.size();) {
        const auto end = std::min(name.find('/', begin), name.size());
        if (name.substr(begin, end - begin) == "..") return true;
        begin = end + 1;
    }
    return false;
}

/// A file that is being written, closed with it.
class NewFile {
public:
    NewFile(const std::filesystem::path& path, bool executable)
        : path_(path),
          descriptor_(
              ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, executable ? 0700 : 0600))
    {
        if (descriptor_ < 0) fail(path_, Cause::io, std::strerror(errno));
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() { ::close(descriptor_); }

    void write(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const auto count = ::write(descriptor_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) fail(path_, Cause::io, std::strerror(errno));
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }

private:
    const std::filesystem::path& path_;
    int descriptor_;
};

/// A folder must not bear the name of a file.
std::string_view without_end_slash(std::string_view name)
{
    return name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
}

}  // namespace

void FmuArchive::Close::operator()(zip* archive) const noexcept { zip_discard(archive); }

FmuArchive::FmuArchive(const std::filesystem::path& file) : file_(file)
{
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0)
        fail(file, errno == ENOENT ? Cause::missing : Cause::io, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail(file, Cause::io, "is not a regular file: an FMU is a zip file");
    int code = 0;
    archive_.reset(zip_open(file.c_str(), ZIP_RDONLY, &code));
    if (!archive_) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string text = zip_error_strerror(&error);
        zip_error_fini(&error);
        fail(file, Cause::malformed, "is not a readable zip file, so not an FMU: " + text);
    }
    list_entries();
}

void FmuArchive::list_entries()
{
    const auto count = zip_get_num_entries(archive_.get(), 0);
    if (static_cast<std::uint64_t>(count) > max_entries)
        fail(file_, Cause::limit,
             "the number of files (" + std::to_string(count) + ") exceeds the limit of " + std::to_string(max_entries));
    const auto file_bytes = std::filesystem::file_size(file_);
    const auto limit = std::min(max_unpacked_bytes, ratio_allowance + max_ratio * file_bytes);
    std::set<std::string_view> names;
    std::uint64_t total = 0;
    entries_.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
        const auto& entry = entries_.emplace_back(checked_entry(i));
        total += std::min(entry.bytes, limit);
        if (total >= limit)
            fail(file_, Cause::limit, "the unpacked size exceeds the limit of " + std::to_string(limit) + " bytes");
        if (!names.insert(without_end_slash(entry.name)).second)
            fail(file_, Cause::malformed, "holds '" + entry.name + "' twice");
    }
}

FmuArchive::Entry FmuArchive::checked_entry(std::uint64_t index) const
{
    zip_stat_t status;
    zip_stat_init(&status);
    const auto wanted = ZIP_STAT_NAME | ZIP_STAT_SIZE;
    if (zip_stat_index(archive_.get(), index, ZIP_FL_ENC_RAW, &status) != 0 || (status.valid & wanted) != wanted)
        fail(file_, Cause::malformed, "entry " + std::to_string(index) + " of the zip file cannot be read");
    Entry entry{.name = status.name, .index = index, .bytes = status.size};
    std::ranges::replace(entry.name, '\\', '/');  // as some packers on Windows write
    if (entry.name.size() > max_name_bytes)
        fail(file_, Cause::limit,
             "a name of " + std::to_string(entry.name.size()) + " bytes exceeds the limit of " +
                 std::to_string(max_name_bytes) + " bytes");
    if (leaves_the_folder(entry.name))
        fail(file_, Cause::malformed, "'" + entry.name + "' would be unpacked outside of its folder");
    entry.name = std::filesystem::path(entry.name).lexically_normal().string();  // `x//y` and `x/./y` are the same file
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(archive_.get(), index, 0, &system, &attributes) != 0 ||
        system != ZIP_OPSYS_UNIX)
        return entry;
    const auto mode = static_cast<mode_t>(attributes >> 16);
    if (const auto kind = mode & S_IFMT; kind != 0 && kind != S_IFREG && kind != S_IFDIR)
        fail(file_, Cause::malformed, "'" + entry.name + "' is neither a file nor a folder");
    entry.executable = (mode & S_IXUSR) != 0;
    return entry;
}

bool FmuArchive::has(const std::string& name) const noexcept
{
    return std::ranges::find(entries_, name, &Entry::name) != entries_.end();
}

template <class Take>
void FmuArchive::read_entry(const Entry& entry, Take&& take) const
{
    struct CloseEntry {
        void operator()(zip_file_t* file) const noexcept { zip_fclose(file); }
    };
    const std::unique_ptr<zip_file_t, CloseEntry> from(zip_fopen_index(archive_.get(), entry.index, 0));
    if (!from)
        fail(file_, Cause::malformed, "'" + entry.name + "' cannot be unpacked: " + zip_strerror(archive_.get()));
    std::array<char, 65536> piece;
    for (std::uint64_t done = 0;;) {
        const auto count = zip_fread(from.get(), piece.data(), piece.size());
        if (count < 0)
            fail(file_, Cause::malformed, "'" + entry.name + "' cannot be unpacked: " + zip_file_strerror(from.get()));
        if (count == 0) return;
        done += static_cast<std::uint64_t>(count);
        if (done > entry.bytes) fail(file_, Cause::malformed, "'" + entry.name + "' is longer than the zip file says");
        take(std::string_view(piece.data(), static_cast<std::size_t>(count)));
    }
}

std::string FmuArchive::read(const std::string& name, std::size_t max_bytes) const
{
    const auto entry = std::ranges::find(entries_, name, &Entry::name);
    if (entry == entries_.end()) fail(file_, Cause::malformed, "holds no '" + name + "': it is not an FMU");
    if (entry->bytes > max_bytes)
        fail(file_, Cause::limit,
             "'" + name + "' of " + std::to_string(entry->bytes) + " bytes exceeds the limit of " +
                 std::to_string(max_bytes) + " bytes");
    std::string contents;
    read_entry(*entry, [&](std::string_view piece) { contents += piece; });
    return contents;
}

void FmuArchive::write(const Entry& entry, const std::filesystem::path& to) const
{
    NewFile file(to, entry.executable || to.extension() == ".so");
    read_entry(entry, [&](std::string_view piece) { file.write(piece); });
}

void FmuArchive::unpack(const std::filesystem::path& folder, const std::string& platform) const
{
    for (const auto& entry : entries_) {
        const bool foreign =
            entry.name.starts_with("binaries/") && !entry.name.starts_with("binaries/" + platform + "/");
        if (foreign || entry.name.starts_with("sources/") || entry.name.starts_with("documentation/")) continue;
        const auto to = (folder / entry.name).lexically_normal();
        std::error_code error;
        std::filesystem::create_directories(entry.name.ends_with('/') ? to : to.parent_path(), error);
        if (error) fail(file_, Cause::io, "'" + entry.name + "' cannot be unpacked: " + error.message());
        if (!entry.name.ends_with('/')) write(entry, to);
    }
}

std::vector<std::string> FmuArchive::platforms() const
{
    constexpr std::string_view folder = "binaries/";
    std::set<std::string> found;
    for (const auto& entry : entries_) {
        if (!entry.name.starts_with(folder)) continue;
        const auto end = entry.name.find('/', folder.size());
        if (end != std::string::npos) found.insert(entry.name.substr(folder.size(), end - folder.size()));
    }
    return {found.begin(), found.end()};
}

}  // namespace ositrace::fmu
