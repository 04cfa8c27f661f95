// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/windowed_input.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

/// Judges the length that the record at the position of an input states, before much is read for one that is wrong.
class RecordLengths {
public:
    /// `salvages`: chunks whose length is damaged are wanted all the same.
    RecordLengths(WindowedInput& input, const McapLimits& limits, bool salvages)
        : input_(input), limits_(limits), salvages_(salvages)
    {
    }

    /// A chunk states its length twice. Where the two disagree, that one is right behind which a record begins.
    [[nodiscard]] mcap::RecordPrefix repaired(mcap::RecordPrefix prefix, const std::stop_token& stop);
    /// Throws Error (truncated, malformed): more than the file has, or not what the lengths inside of a chunk say, or
    /// of no record at all.
    void check(const mcap::RecordPrefix& prefix, const std::stop_token& stop);
    /// Of a record that will be read as a whole. Throws Error (limit).
    void check_limit(const mcap::RecordPrefix& prefix) const;
    /// "it announces so many bytes, and so many are left"
    [[nodiscard]] static Error cut_off(const mcap::RecordPrefix& prefix, std::uint64_t left);

private:
    [[nodiscard]] std::optional<std::uint64_t> chunk_length_inside(const std::stop_token& stop);
    [[nodiscard]] bool record_follows(std::uint64_t length, const std::stop_token& stop);

    WindowedInput& input_;
    McapLimits limits_;
    bool salvages_;
};

}  // namespace ositrace
