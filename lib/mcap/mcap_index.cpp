// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_index.hpp"

#include <algorithm>

#include "lib/mcap/file_records.hpp"
#include "lib/mcap/mcap_limits.hpp"
#include "lib/mcap/mcap_summary.hpp"
#include "lib/mcap/mcap_walk.hpp"

namespace ositrace {

namespace {

void read_header(const SeekableFile& file, McapIndex& index)
{
    std::vector<std::byte> front(mcap::magic.size());
    front.resize(file.read_at(0, front));
    mcap::check_magic(front);
    FileRecords records(file, mcap::magic.size(), file.size());
    if (!records.next())
        throw Error(Cause::truncated, {.offset = mcap::magic.size()},
                    "ends behind its magic, expected a Header record");
    if (records.opcode() != mcap::Opcode::header)
        throw Error(Cause::malformed, {.offset = mcap::magic.size()},
                    "begins with a record " + name_of(records.opcode()) + ", expected a Header");
    const auto header = mcap::parse_header(records.content(max_mcap_record_bytes));
    index.profile = header.profile;
    index.library = header.library;
}

McapIndex read_index(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options)
{
    auto summary = read_mcap_summary(file, options);
    if (summary && summary->complete) return std::move(summary->index);
    if (options.before_whole_read) options.before_whole_read();
    if (summary) {
        McapWalk(file, options, std::move(summary->chunks)).run(summary->index);
        return std::move(summary->index);
    }
    McapIndex index(options);
    McapWalk(file, options, {}).run(index);
    return index;
}

}  // namespace

std::uint64_t McapSegment::count_of(std::uint32_t channel) const noexcept
{
    const auto found = std::lower_bound(counts.begin(), counts.end(), channel,
                                        [](const auto& each, std::uint32_t value) { return each.first < value; });
    return found != counts.end() && found->first == channel ? found->second : 0;
}

McapIndex read_mcap_index(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options)
try {
    McapIndex header(options);
    read_header(*file, header);
    auto index = read_index(file, options);
    index.profile = std::move(header.profile);
    index.library = std::move(header.library);
    return index;
} catch (const Error& error) {
    throw error.within({.file = file->name()});
}

}  // namespace ositrace
