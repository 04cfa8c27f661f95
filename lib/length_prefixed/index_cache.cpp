// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/index_cache.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <vector>

#include "lib/io/input_file.hpp"
#include "lib/io/output_file.hpp"
#include "lib/system/whole_name.hpp"

namespace ositrace {

namespace {

/// All numbers little-endian. `frames` and `marks` are followed by the marks and by a checksum of everything before it.
struct Header {
    std::array<char, 8> magic{'O', 'S', 'I', 'I', 'D', 'X', '0', '3'};
    std::uint64_t path_hash = 0;
    std::uint64_t size = 0;
    std::uint64_t version_bytes = 0;
    std::uint64_t version_hash = 0;
    std::uint64_t ends_hash = 0;
    std::uint64_t frames = 0;
    std::uint64_t marks = 0;
    FrameSizes sizes;
};
static_assert(sizeof(Header) == 88 && sizeof(IndexMark) == 16);

constexpr std::size_t hashed_bytes = std::size_t{64} << 10;  // at each end

/// FNV-1a: it detects changes of the file; the user's own cache needs no protection from attacks.
std::uint64_t hash_of(Bytes bytes, std::uint64_t hash = 0xcbf2'9ce4'8422'2325)
{
    for (const auto byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x0000'0100'0000'01b3;
    return hash;
}

std::uint64_t hash_of_ends(const RandomAccess& file)
{
    std::vector<std::byte> part(hashed_bytes);
    const auto hash = hash_of(Bytes(part).first(file.read_at(0, part)));
    const auto tail = file.size() - std::min<std::uint64_t>(file.size(), hashed_bytes);
    return hash_of(Bytes(part).first(file.read_at(tail, part)), hash);
}

Header header_of(const RandomAccess& file)
{
    const auto version = file.version();
    const auto path = real_name(file.name()).string();
    Header header;
    header.path_hash = hash_of(bytes_of(path));
    header.size = file.size();
    header.version_bytes = version.size();
    header.version_hash = hash_of(bytes_of(version));
    header.ends_hash = hash_of_ends(file);
    return header;
}

bool same_file(const Header& a, const Header& b)
{
    return a.magic == b.magic && a.path_hash == b.path_hash && a.size == b.size && a.version_bytes == b.version_bytes &&
           a.version_hash == b.version_hash && a.ends_hash == b.ends_hash;
}

std::filesystem::path cache_file(const std::filesystem::path& directory, const Header& header)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name = "index-";
    for (int shift = 60; shift >= 0; shift -= 4) name += digits[header.path_hash >> shift & 0xf];
    return directory / name;
}

/// Does a walk from these marks stay within the file and reach every frame?
bool is_possible(const CompleteIndex& index, std::uint64_t file_size)
{
    if (index.marks.empty()) return index.frames == 0;
    if (index.marks.front() != IndexMark{}) return false;
    const auto ascends = [](const IndexMark& a, const IndexMark& b) {
        return a.frame < b.frame && a.offset < b.offset &&
               b.frame - a.frame <= (b.offset - a.offset) / length_prefix::prefix_bytes &&
               b.frame - a.frame <= TraceIndex::mark_frames;
    };
    const auto stumble = std::adjacent_find(index.marks.begin(), index.marks.end(),
                                            [&](const auto& a, const auto& b) { return !ascends(a, b); });
    return stumble == index.marks.end() && ascends(index.marks.back(), {index.frames, file_size});
}

}  // namespace

std::filesystem::path index_cache_directory()
{
    const auto cache = cache_directory();
    return cache.empty() ? cache : cache / "ositrace";
}

std::optional<CompleteIndex> load_index(const std::filesystem::path& directory, const RandomAccess& file) noexcept
try {
    if (directory.empty() || file.size() == 0) return std::nullopt;
    const auto expected = header_of(file);
    const auto name = cache_file(directory, expected);
    if (!std::filesystem::is_regular_file(name)) return std::nullopt;
    const FileAccess kept(open_for_reading(name), name);
    Header header;
    if (kept.read_at(0, std::as_writable_bytes(std::span(&header, 1))) != sizeof header || !same_file(header, expected))
        return std::nullopt;
    const auto marks_bytes = kept.size() - std::min<std::uint64_t>(kept.size(), sizeof header + sizeof(std::uint64_t));
    if (header.marks != marks_bytes / sizeof(IndexMark) || marks_bytes % sizeof(IndexMark) != 0) return std::nullopt;
    CompleteIndex index{header.frames, std::vector<IndexMark>(header.marks), header.sizes};
    const auto marks = std::as_writable_bytes(std::span(index.marks));
    std::uint64_t checksum = 0;
    kept.read_at(sizeof header, marks);
    kept.read_at(sizeof header + marks.size(), std::as_writable_bytes(std::span(&checksum, 1)));
    if (checksum != hash_of(marks, hash_of(std::as_bytes(std::span(&header, 1))))) return std::nullopt;
    if (!is_possible(index, file.size())) return std::nullopt;
    return index;
} catch (const std::exception&) {
    return std::nullopt;
}

void store_index(const std::filesystem::path& directory, const RandomAccess& file, const CompleteIndex& index) noexcept
try {
    if (directory.empty()) return;
    std::filesystem::create_directories(directory);
    auto header = header_of(file);
    header.frames = index.frames;
    header.marks = index.marks.size();
    header.sizes = index.sizes;
    const auto head = std::as_bytes(std::span(&header, 1));
    const auto marks = std::as_bytes(std::span(index.marks));
    const auto checksum = hash_of(marks, hash_of(head));
    OutputFile out(cache_file(directory, header), {.overwrite = true, .sync = false});
    out.write(head, marks);
    out.write(std::as_bytes(std::span(&checksum, 1)));
    out.close();
} catch (const std::exception&) {
    return;
}

}  // namespace ositrace
