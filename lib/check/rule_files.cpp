// SPDX-License-Identifier: MPL-2.0
// The sources of a RuleSet: a file or the program itself. Apart, because extract_comments has neither.
#include <ositrace/error.hpp>
#include <ositrace/rules.hpp>
#include <ositrace/schema_file.hpp>

#include "lib/check/rule_text.hpp"
#include "lib/io/file_source.hpp"

namespace ositrace {

namespace {

std::vector<std::byte> contents_of(const std::filesystem::path& file)
{
    const auto source = FileSource::open(file);
    std::vector<std::byte> bytes;
    for (std::size_t size = 0;;) {
        bytes.resize(size + (std::size_t{64} << 10));
        const auto count = source->read(std::span(bytes).subspan(size), {});
        size += count;
        if (size > max_descriptor_set_bytes)
            throw Error(Cause::limit, {.file = file},
                        "exceeds the limit of " + std::to_string(max_descriptor_set_bytes) + " bytes");
        if (count != 0) continue;
        bytes.resize(size);
        return bytes;
    }
}

/// A descriptor set begins with a tag, a text with a letter or `#`.
bool is_text(Bytes bytes) { return !bytes.empty() && bytes.front() > std::byte{' '}; }

}  // namespace

std::shared_ptr<const RuleSet> RuleSet::load(const std::filesystem::path& file)
try {
    const auto bytes = contents_of(file);
    return is_text(bytes) ? from_text(text_of(bytes)) : from_descriptor_set(bytes);
} catch (const Error& error) {
    throw error.within({.file = file});
}

std::shared_ptr<const RuleSet> RuleSet::built_in()
{
    static const auto rules = embedded_rules().empty() ? nullptr : from_text(text_of(embedded_rules()));
    return rules;
}

}  // namespace ositrace
