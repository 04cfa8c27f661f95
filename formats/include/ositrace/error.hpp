// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/export.hpp>

namespace ositrace {

/// The kind of an error; its text has the details.
enum class Cause : std::uint8_t {
    io,           ///< the operating system refused or failed (open, read, write, full disk)
    missing,      ///< a file that does not exist
    malformed,    ///< bytes that break the rules of their format
    truncated,    ///< the bytes end before a length that they state
    limit,        ///< may be valid, but exceeds a limit (size, depth, output)
    unsupported,  ///< valid, but not supported
    ambiguous,    ///< more than one reading fits; the text names the candidates and the option that decides
    different,    ///< a requested comparison found a difference
    mismatch,     ///< two sources disagree (name and content, schema and data)
    exists,       ///< the output is already there
    lossy,        ///< data would be lost, and the caller does not allow that
    cancelled,    ///< the caller requested a stop
    usage,        ///< invalid usage: a parameter that contradicts another or makes no sense
};

/// `io`, `malformed`, `truncated`, ...: the name of the enumerator, for other languages and for scripts.
[[nodiscard]] OSITRACE_API std::string_view name_of(Cause cause) noexcept;

/// The kind of damage, for kinds that a program treats in a special way; `other` for all others.
enum class Damage : std::uint8_t {
    other,
    bad_crc,            ///< the bytes contradict their checksum
    bad_data_crc,       ///< the data section of an MCAP file contradicts the checksum in its DataEnd record
    bad_summary_crc,    ///< the summary of an MCAP file contradicts the checksum in its Footer record
    chunk_index,        ///< the chunk index in the summary of an MCAP file contradicts the chunks
    chunk_times,        ///< a chunk or its index states other log times than its messages have
    message_index,      ///< the message index of a chunk contradicts its messages
    statistics,         ///< the Statistics record of an MCAP file contradicts the file
    declared_twice,     ///< a schema or a channel is declared twice, with different contents
    record_in_chunk,    ///< a record in a chunk that belongs outside of chunks
    after_data_end,     ///< a record after DataEnd that belongs before it
    no_data_end,        ///< an MCAP file ends before its DataEnd record: what followed is unknown
    first_frame,        ///< the first frame of a length-prefixed file cannot be read: it may be no trace at all
    preallocated_tail,  ///< zeros from here to the end of the file
    empty_tail,         ///< empty messages from here to the end of the file
    other_framing,      ///< the messages are not separated by lengths as the OSI standard says; they are read
    message_content,    ///< a message that an MCAP record with a wrong opcode may be cannot be read
    empty_message,      ///< a message of no bytes where the encoding has none (FlatBuffers)
};

/// The place of an error. Every layer adds the parts that it knows.
struct OSITRACE_API Location {
    std::filesystem::path file;
    std::optional<std::uint64_t> frame;   ///< from 0
    std::optional<std::uint64_t> offset;  ///< bytes from the start of the file; in formats/: of the argument
    std::string field;                    ///< field path, `moving_object[3].base.position`
};

/// The one exception of the library. what() is one line: `run.osi: frame 7 at byte 912: moving_object[3].id: <reason>`;
/// control characters, which can only come from names in the input, are shown as `?`.
class OSITRACE_API Error : public std::runtime_error {
public:
    Error(Cause cause, Location where, std::string_view reason, Damage damage = Damage::other);
    Error(Cause cause, std::string_view reason) : Error(cause, Location{}, reason) {}

    [[nodiscard]] Cause cause() const noexcept { return cause_; }
    [[nodiscard]] Damage damage() const noexcept { return damage_; }
    [[nodiscard]] const Location& where() const noexcept { return where_; }
    /// The text without the place.
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

    /// The same error in an outer place: missing file and frame are added, offsets are summed, field paths are joined.
    [[nodiscard]] Error within(const Location& outer) const;
    /// The same error at another place, or in other words.
    [[nodiscard]] Error moved_to(Location where) const { return {cause_, std::move(where), reason_, damage_}; }
    [[nodiscard]] Error reworded(std::string_view reason) const { return {cause_, where_, reason, damage_}; }

private:
    Cause cause_;
    Damage damage_;
    Location where_;
    std::string reason_;
};

/// Is the input damaged (malformed, truncated or over a limit), rather than its reading?
[[nodiscard]] inline bool is_damage(const Error& error) noexcept
{
    return error.cause() == Cause::malformed || error.cause() == Cause::truncated || error.cause() == Cause::limit;
}

/// `run.osi: frame 7 at byte 912: moving_object[3].id`, the parts that are known; empty when none is.
[[nodiscard]] OSITRACE_API std::string to_string(const Location& where);

}  // namespace ositrace
