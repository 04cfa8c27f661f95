// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

/// What kind of thing went wrong; the text says the rest.
enum class Cause : std::uint8_t {
    io,           ///< the operating system refused or failed (open, read, write, full disk)
    malformed,    ///< bytes that break the rules of their format
    truncated,    ///< the bytes end before the thing they announce
    limit,        ///< legal perhaps, but beyond a limit (size, depth, output)
    unsupported,  ///< legal, and this version cannot handle it
    ambiguous,    ///< more than one reading fits; the text names the candidates and the option that decides
    different,    ///< a comparison that was asked for found a difference
    mismatch,     ///< two sources disagree (name and content, schema and data)
    exists,       ///< the output is already there
    lossy,        ///< something would be lost and the caller asked to refuse that
    cancelled,    ///< the caller asked to stop
    usage,        ///< a parameter that cannot be meant
};

/// Where. Every layer fills what it knows and passes on what it was given.
struct OSITRACE_API Location {
    std::filesystem::path file;
    std::optional<std::uint64_t> frame;  ///< from 0
    std::optional<std::uint64_t>
        offset;         ///< bytes from the start of the file; inside formats/: from the start of what was passed in
    std::string field;  ///< field path, `moving_object[3].base.position`
};

/// The one exception of the library. what() is one line: `run.osi: frame 7 at byte 912: moving_object[3].id: <reason>`;
/// control characters, which can only come from names in the input, are shown as `?`.
class OSITRACE_API Error : public std::runtime_error {
public:
    Error(Cause cause, Location where, std::string_view reason);
    Error(Cause cause, std::string_view reason) : Error(cause, Location{}, reason) {}

    [[nodiscard]] Cause cause() const noexcept { return cause_; }
    [[nodiscard]] const Location& where() const noexcept { return where_; }
    /// The text without the place.
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

    /// The same error seen from further out: file and frame are filled in where missing, offsets add up, field paths
    /// are joined.
    [[nodiscard]] Error within(const Location& outer) const;

private:
    Cause cause_;
    Location where_;
    std::string reason_;
};

/// `run.osi: frame 7 at byte 912: moving_object[3].id`, the parts that are known; empty when none is.
[[nodiscard]] OSITRACE_API std::string to_string(const Location& where);

}  // namespace ositrace
