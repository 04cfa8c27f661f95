// SPDX-License-Identifier: MPL-2.0
// An MCAP file by hand whose summary says of its chunks what a test wants it to say. Its messages are those of channel
// 1 (`a`).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/formats/mcap/mcap_bytes.hpp"

namespace mcap_bytes {

class IndexedFile {
public:
    /// Log time and place of a message in its chunk.
    using Listed = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

    void add(const std::string& records) { data_ += records; }
    /// `behind`: counted with its message index, as if it belonged to that.
    void add_chunk(const std::string& records, const Listed& listed, const std::string& behind = {})
    {
        const auto stored = chunk(records);
        std::string entries;
        for (const auto& [time, place] : listed) entries += u64(time) + u64(place);
        const auto index = record(Opcode::message_index, u16(1) + text(entries));
        chunk_indexes_ += record(Opcode::chunk_index, u64(0) + u64(1000) + u64(data_.size()) + u64(stored.size()) +
                                                          text(u16(1) + u64(data_.size() + stored.size())) +
                                                          u64(index.size() + behind.size()) + text("") +
                                                          u64(records.size()) + u64(records.size()));
        data_ += stored + index + behind;
        messages_ += listed.size();
        ++chunks_;
    }
    /// `behind`: behind the DataEnd record, in front of the summary.
    [[nodiscard]] std::string finished(const std::string& behind = {}) const
    {
        const auto statistics = u64(messages_) + u16(0) + u32(1) + u32(0) + u32(0) + u32(chunks_) + u64(0) + u64(1000) +
                                text(u16(1) + u64(messages_));
        const auto data = data_ + record(Opcode::data_end, u32(0)) + behind;
        return data + a_channel() + record(Opcode::statistics, statistics) + chunk_indexes_ +
               record(Opcode::footer, u64(data.size()) + u64(0) + u32(0)) + std::string(ositrace::mcap::magic);
    }
    [[nodiscard]] static std::string a_channel() { return channel(1, 0, "a"); }

private:
    std::string data_ = front() + a_channel();
    std::string chunk_indexes_;
    std::uint64_t messages_ = 0;
    std::uint64_t chunks_ = 0;
};

}  // namespace mcap_bytes
