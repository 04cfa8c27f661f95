// SPDX-License-Identifier: MPL-2.0
// MCAP files written by hand, right or wrong.
#pragma once

#include <cstdint>
#include <string>

#include <ositrace/bytes.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/records.hpp"

namespace mcap_bytes {

using ositrace::mcap::Opcode;

inline std::string number(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i != bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}
inline std::string u16(std::uint64_t value) { return number(value, 2); }
inline std::string u32(std::uint64_t value) { return number(value, 4); }
inline std::string u64(std::uint64_t value) { return number(value, 8); }
inline std::string text(const std::string& contents) { return u32(contents.size()) + contents; }

inline std::string record(Opcode opcode, const std::string& content)
{
    return std::string(1, static_cast<char>(opcode)) + u64(content.size()) + content;
}
inline std::string schema(std::uint16_t id, const std::string& name, const std::string& encoding,
                          const std::string& data)
{
    return record(Opcode::schema, u16(id) + text(name) + text(encoding) + text(data));
}
inline std::string channel(std::uint16_t id, std::uint16_t schema_id, const std::string& topic,
                           const std::string& encoding = "json")
{
    return record(Opcode::channel, u16(id) + u16(schema_id) + text(topic) + text(encoding) + u32(0));
}
inline std::string message(std::uint16_t channel_id, std::uint64_t log_time, const std::string& data,
                           std::uint32_t sequence = 0)
{
    return record(Opcode::message, u16(channel_id) + u32(sequence) + u64(log_time) + u64(log_time) + data);
}
inline std::string metadata(const std::string& name, const std::string& key, const std::string& value)
{
    return record(Opcode::metadata, text(name) + text(text(key) + text(value)));
}
inline std::string attachment(const std::string& name, const std::string& data)
{
    const auto content = u64(1) + u64(2) + text(name) + text("text/plain") + u64(data.size()) + data;
    return record(Opcode::attachment, content + u32(ositrace::crc32(ositrace::bytes_of(content))));
}
/// `size`, `crc` and the log times `first` and `last`: as they are announced.
inline std::string chunk(const std::string& compressed, const std::string& compression, std::uint64_t size,
                         std::uint32_t crc, std::uint64_t first = 0, std::uint64_t last = 0)
{
    return record(Opcode::chunk, u64(first) + u64(last) + u64(size) + u32(crc) + text(compression) +
                                     u64(compressed.size()) + compressed);
}
inline std::string chunk(const std::string& records)
{
    return chunk(records, "", records.size(), ositrace::crc32(ositrace::bytes_of(records)));
}

inline std::string front()
{
    return std::string(ositrace::mcap::magic) + record(Opcode::header, text("") + text("by hand"));
}
inline std::string back()
{
    return record(Opcode::data_end, u32(0)) + record(Opcode::footer, u64(0) + u64(0) + u32(0)) +
           std::string(ositrace::mcap::magic);
}
/// Without a summary.
inline std::string file(const std::string& records) { return front() + records + back(); }

}  // namespace mcap_bytes
