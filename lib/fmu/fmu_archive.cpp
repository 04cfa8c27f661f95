// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/fmu_archive.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <system_error>

#include <ositrace/error.hpp>

#include "lib/system/model_binary.hpp"
#include "lib/system/output.hpp"

namespace ositrace::fmu {

namespace {

constexpr std::uint64_t max_entries = 10'000;
constexpr std::uint64_t max_unpacked_bytes = std::uint64_t{4} << 30;
/// Deflate packs nothing but zeros 1000 to 1; what models carry stays below this.
constexpr std::uint64_t max_ratio = 200;
constexpr std::uint64_t ratio_allowance = std::uint64_t{64} << 20;
constexpr std::size_t max_name_bytes = 1024;
/// The mode of a file in Unix, which zip files have.
constexpr unsigned kind_bits = 0170000, regular_file = 0100000, folder_of_files = 0040000, executable_by_owner = 0100;

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

/// A folder must not bear the name of a file.
std::string_view without_end_slash(std::string_view name)
{
    return name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
}

}  // namespace

namespace {

/// For a clear reason: a folder can be opened, too.
std::filesystem::path checked_file(const std::filesystem::path& file)
{
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (error) fail(file, error == std::errc::no_such_file_or_directory ? Cause::missing : Cause::io, error.message());
    if (!std::filesystem::is_regular_file(status)) fail(file, Cause::io, "is not a regular file: an FMU is a zip file");
    return file;
}

}  // namespace

FmuArchive::FmuArchive(const std::filesystem::path& file) : file_(file), zip_(checked_file(file), max_entries)
{
    list_entries();
}

void FmuArchive::list_entries()
{
    const auto file_bytes = std::filesystem::file_size(file_);
    const auto limit = std::min(max_unpacked_bytes, ratio_allowance + max_ratio * file_bytes);
    std::set<std::string_view> names;
    std::uint64_t total = 0;
    entries_.reserve(zip_.entries().size());
    for (const auto& packed : zip_.entries()) {
        const auto& entry = entries_.emplace_back(checked_entry(packed));
        total += std::min(packed.bytes, limit);
        if (total >= limit)
            fail(file_, Cause::limit, "the unpacked size exceeds the limit of " + std::to_string(limit) + " bytes");
        if (!names.insert(without_end_slash(entry.name)).second)
            fail(file_, Cause::malformed, "holds '" + entry.name + "' twice");
    }
}

FmuArchive::Entry FmuArchive::checked_entry(const ZipFile::Entry& packed) const
{
    Entry entry{.name = packed.name, .packed = &packed};
    if (entry.name.find('\0') != std::string::npos) fail(file_, Cause::malformed, "holds a name with a zero byte");
    std::ranges::replace(entry.name, '\\', '/');  // as some packers on Windows write
    if (entry.name.size() > max_name_bytes)
        fail(file_, Cause::limit,
             "a name of " + std::to_string(entry.name.size()) + " bytes exceeds the limit of " +
                 std::to_string(max_name_bytes) + " bytes");
    if (leaves_the_folder(entry.name))
        fail(file_, Cause::malformed, "'" + entry.name + "' would be unpacked outside of its folder");
    entry.name =
        std::filesystem::path(entry.name).lexically_normal().generic_string();  // `x//y` and `x/./y` are the same file
    if (const auto kind = packed.unix_mode & kind_bits; kind != 0 && kind != regular_file && kind != folder_of_files)
        fail(file_, Cause::malformed, "'" + entry.name + "' is neither a file nor a folder");
    entry.executable = (packed.unix_mode & executable_by_owner) != 0;
    return entry;
}

bool FmuArchive::has(const std::string& name) const noexcept
{
    return std::ranges::find(entries_, name, &Entry::name) != entries_.end();
}

std::string FmuArchive::read(const std::string& name, std::size_t max_bytes) const
{
    const auto entry = std::ranges::find(entries_, name, &Entry::name);
    if (entry == entries_.end()) fail(file_, Cause::malformed, "holds no '" + name + "': it is not an FMU");
    if (entry->packed->bytes > max_bytes)
        fail(file_, Cause::limit,
             "'" + name + "' of " + std::to_string(entry->packed->bytes) + " bytes exceeds the limit of " +
                 std::to_string(max_bytes) + " bytes");
    std::string contents;
    zip_.read(*entry->packed, [&](std::string_view piece) { contents += piece; });
    return contents;
}

void FmuArchive::write(const Entry& entry, const std::filesystem::path& to) const
{
    const auto file = create_private_file(to, entry.executable || to.extension() == library_extension());
    zip_.read(*entry.packed, [&](std::string_view piece) {
        const auto bytes = std::as_bytes(std::span(piece));
        if (const auto error = write_pieces(file, std::array{Bytes(bytes)}, false))
            fail(to, Cause::io, error.message());
    });
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
