// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/series.hpp>

namespace ositrace::gui {

/// The bits of the colour of a lamp that is off, from those of its colour, and back.
[[nodiscard]] constexpr std::uint64_t with_lamp_off(std::uint64_t bits) noexcept
{
    return bits ^ (std::uint64_t{1} << 62);  // of an enumerator, this bit and the one above it are equal
}
[[nodiscard]] constexpr bool is_lamp_off(const FieldRow& field, std::uint64_t bits) noexcept
{
    return field.kind == FieldKind::enumeration && ((bits >> 62 ^ bits >> 63) & 1) != 0;
}

/// Messages [first, last] of a channel in which a field has one value.
struct StateRun {
    std::uint64_t first = 0, last = 0;
    std::uint64_t bits = 0;  ///< as SeriesSample::bits, or with_lamp_off()
    friend bool operator==(const StateRun&, const StateRun&) = default;
};

/// What is new since the last update.
struct StateUpdate {
    struct CurveRun {
        std::uint32_t curve = 0;
        StateRun run;  ///< replaces the last run of the curve if that begins with the same message
    };
    std::vector<SeriesCurve> curves;  ///< numbered on
    std::vector<std::string> texts;   ///< likewise
    std::vector<CurveRun> runs;       ///< in the order of messages for each curve
    std::uint64_t messages = 0;       ///< read so far
};

/// Merges equal values of consecutive messages.
class StateRuns {
public:
    /// Of all curves together; later ones are left out.
    static constexpr std::uint64_t most_runs = std::uint64_t{4} << 20;

    [[nodiscard]] StateUpdate add(SeriesBatch batch);
    [[nodiscard]] bool is_full() const noexcept { return count_ >= most_runs; }

private:
    struct Open {
        std::optional<StateRun> run;
        bool is_changed = false;
    };
    std::vector<Open> open_;  ///< by curve
    std::uint64_t count_ = 0;
};

}  // namespace ositrace::gui
