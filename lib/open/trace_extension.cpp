// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>

#include <ositrace/trace_name.hpp>

#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/open/container.hpp"

namespace ositrace {

namespace {

struct CompressionSuffix {
    std::string_view suffix;
    std::string_view compression;
    bool is_written;
};

constexpr std::array compression_suffixes{
    CompressionSuffix{".zst", "zstd", true}, CompressionSuffix{".lz4", "lz4", true},
    CompressionSuffix{".gz", "gzip", false}, CompressionSuffix{".xz", "xz", false},
    CompressionSuffix{".lzma", "xz", false}, CompressionSuffix{".zstd", "zstd", true},
};

/// `.MCAP` is `.mcap`: cameras and old file systems write names in capital letters.
bool has_suffix(std::string_view name, std::string_view suffix) noexcept
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return name.size() >= suffix.size() &&
           std::ranges::equal(name.substr(name.size() - suffix.size()), suffix, {}, lower);
}

}  // namespace

std::optional<TraceExtension> trace_extension(std::string_view file_name) noexcept
{
    auto stem = file_name;
    TraceExtension found{{}, {}, std::nullopt, not_compressed};
    for (const auto& row : compression_suffixes)
        if (has_suffix(stem, row.suffix)) {
            found.compression = row.compression;
            found.is_written = row.is_written;
            stem.remove_suffix(row.suffix.size());
            break;
        }
    const auto with = [&](std::string_view suffix) {
        found.text = file_name.substr(stem.size() - suffix.size());
        return found;
    };
    for (const auto& row : encodings())
        if (has_suffix(stem, row.file_extension)) {
            found.container = length_prefixed_container;
            found.encoding = row.encoding;
            return with(row.file_extension);
        }
    for (const auto& row : containers())
        if (const auto& traits = row.traits; !traits.extension.empty() && has_suffix(stem, traits.extension)) {
            found.container = traits;
            found.is_written = found.is_written && row.create && (!traits.chunks || !found.is_compressed());
            return with(traits.extension);
        }
    return std::nullopt;
}

std::vector<TraceExtension> trace_extensions()
{
    std::vector<TraceExtension> all;
    const auto add = [&](std::string_view extension) {
        if (const auto found = trace_extension(extension)) all.push_back(*found);
    };
    for (const auto& row : encodings()) add(row.file_extension);
    for (const auto& row : containers()) add(row.traits.extension);
    return all;
}

}  // namespace ositrace
