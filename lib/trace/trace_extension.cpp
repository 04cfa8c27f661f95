// SPDX-License-Identifier: MPL-2.0
#include <array>

#include <ositrace/trace_name.hpp>

namespace ositrace {

namespace {

struct CompressionSuffix {
    std::string_view suffix;
    std::string_view compression;
};

constexpr std::array compression_suffixes{
    CompressionSuffix{".zst", "zstd"}, CompressionSuffix{".lz4", "lz4"},  CompressionSuffix{".gz", "gzip"},
    CompressionSuffix{".xz", "xz"},    CompressionSuffix{".lzma", "xz"},
};

struct ContainerSuffix {
    std::string_view suffix;
    std::string_view container;
};

// The length-prefixed files stand in the table of encodings.
constexpr std::array container_suffixes{
    ContainerSuffix{".mcap", "mcap"},
    ContainerSuffix{".txth", "text"},
    ContainerSuffix{".jsonl", "json-lines"},
};

}  // namespace

std::optional<TraceExtension> trace_extension(std::string_view file_name) noexcept
{
    auto stem = file_name;
    TraceExtension found{{}, {}, std::nullopt, "none"};
    for (const auto& row : compression_suffixes)
        if (stem.ends_with(row.suffix)) {
            found.compression = row.compression;
            stem.remove_suffix(row.suffix.size());
            break;
        }
    const auto with = [&](std::string_view suffix) {
        found.text = file_name.substr(stem.size() - suffix.size());
        return found;
    };
    for (const auto& row : encodings())
        if (stem.ends_with(row.file_extension)) {
            found.container = "length-prefixed";
            found.encoding = row.encoding;
            return with(row.file_extension);
        }
    for (const auto& row : container_suffixes)
        if (stem.ends_with(row.suffix)) {
            found.container = row.container;
            return with(row.suffix);
        }
    return std::nullopt;
}

}  // namespace ositrace
