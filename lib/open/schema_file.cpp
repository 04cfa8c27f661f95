// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema_file.hpp>

#include <ositrace/error.hpp>

#include "lib/io/file_source.hpp"

namespace ositrace {

std::shared_ptr<const Schema> load_schema(const std::filesystem::path& file)
{
    const auto source = FileSource::open(file);
    std::vector<std::byte> set;
    // The length of a pipe is unknown: grow as bytes arrive.
    for (std::size_t filled = 0;; filled = set.size()) {
        constexpr std::size_t step = std::size_t{1} << 20;
        set.resize(filled + step);
        const auto count = read_fully(*source, std::span(set).subspan(filled), {});
        set.resize(filled + count);
        if (set.size() > max_descriptor_set_bytes) {
            throw Error(Cause::limit, {.file = source->name()},
                        "a descriptor set exceeds the limit of " + std::to_string(max_descriptor_set_bytes) + " bytes");
        }
        if (count < step) break;
    }
    try {
        return Schema::compile(set);
    } catch (const Error& e) {
        throw e.within({.file = source->name()});
    }
}

}  // namespace ositrace
