// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "app/bench/core/verdict.hpp"
#include "app/bench/cosim/published.hpp"

namespace ositrace::bench {
namespace {

using row::builder, row::objects, row::protobuf, row::structs, row::update;

/// The measured values, in milliseconds, bytes or lines; empty if not measured.
class Measured {
public:
    explicit Measured(std::span<const CosimResult> results) : results_(results) {}

    using Value = std::optional<double>;
    [[nodiscard]] Value source(int figure, const char* variant, bool carry = false) const
    {
        return stages(figure, variant, carry, 0, 2);
    }
    [[nodiscard]] Value model(int figure, const char* variant, bool carry = false) const
    {
        return stages(figure, variant, carry, 2, 5);
    }
    [[nodiscard]] Value total(int figure, const char* variant, bool carry = false) const
    {
        return stages(figure, variant, carry, 0, 5);
    }
    [[nodiscard]] Value deserializing(int figure, const char* variant) const
    {
        return stages(figure, variant, false, 2, 3);
    }
    [[nodiscard]] Value bytes(int figure, const char* variant) const
    {
        const auto* const found = timing(figure, variant, false);
        return found == nullptr ? Value() : static_cast<double>(found->bytes);
    }
    [[nodiscard]] Value heap(int figure, const char* variant) const
    {
        const auto* const found = timing(figure, variant, false);
        return found == nullptr || !found->heap ? Value() : static_cast<double>(found->heap->peak_bytes);
    }
    [[nodiscard]] Value lines(const char* variant) const
    {
        for (int figure = 1; figure <= 6; ++figure)
            if (const auto* const found = timing(figure, variant, false); found != nullptr && found->lines)
                return static_cast<double>(*found->lines);
        return {};
    }
    /// From the smallest to the largest case: 1 if the time grows with the number of reflections.
    [[nodiscard]] Value growth(const char* variant, bool carry) const
    {
        const auto large = total(1, variant, carry), small = total(3, variant, carry);
        return large && small ? Value(*large / *small / (829'440.0 / 100'000)) : Value();
    }

private:
    [[nodiscard]] const Timing* timing(int figure, const char* variant, bool carry) const
    {
        for (const auto& [simulated, round] : results_) {
            if (simulated.figure != figure || simulated.carry_input != carry) continue;
            const auto found = std::ranges::find(round.timings, variant, &Timing::name);
            if (found != round.timings.end()) return &*found;
        }
        return nullptr;
    }
    [[nodiscard]] Value stages(int figure, const char* variant, bool carry, std::size_t from, std::size_t to) const
    {
        const auto* const found = timing(figure, variant, carry);
        if (found == nullptr || found->stages.size() != 5) return {};
        double sum = 0;
        for (auto i = from; i < to; ++i) sum += quantile_of(found->stages[i].samples, 0.5);
        return sum;
    }

    std::span<const CosimResult> results_;
};

Measured::Value ratio(Measured::Value a, Measured::Value b)
{
    return a && b && *b > 0 ? Measured::Value(*a / *b) : Measured::Value();
}

struct Conclusion {
    const char* conclusion;
    double published;  ///< a ratio
    Measured::Value (*here)(const Measured& m);
};
constexpr bool carry = true;
constexpr Conclusion conclusions[] = {
    {"829 440 reflections: the source takes 60 % longer with FlatBuffers", 43.0 / 27,
     [](const Measured& m) { return ratio(m.source(1, builder), m.source(1, protobuf)); }},
    {"... second report: 2.15 times as long", 423.756 / 196.873,
     [](const Measured& m) { return ratio(m.source(1, builder), m.source(1, protobuf)); }},
    {"829 440 reflections: the model is 7 to 8 times as fast with FlatBuffers (only that of Protobuf carries its "
     "input)",
     9.0 / 66, [](const Measured& m) { return ratio(m.model(1, builder), m.model(1, protobuf, carry)); }},
    {"... second report: 3.3 times as fast", 121.687 / 401.484,
     [](const Measured& m) { return ratio(m.model(1, builder), m.model(1, protobuf, carry)); }},
    {"... with equal work: no model copies it", 9.0 / 66,
     [](const Measured& m) { return ratio(m.model(1, builder), m.model(1, protobuf)); }},
    {"... with equal work: both carry it", 9.0 / 66,
     [](const Measured& m) { return ratio(m.model(1, builder, carry), m.model(1, protobuf, carry)); }},
    {"829 440 reflections: in total 44 % less time (only that of Protobuf carries its input)", 52.0 / 93,
     [](const Measured& m) { return ratio(m.total(1, builder), m.total(1, protobuf, carry)); }},
    {"... with equal work: no model copies it", 52.0 / 93,
     [](const Measured& m) { return ratio(m.total(1, builder), m.total(1, protobuf)); }},
    {"... with equal work: both carry it", 52.0 / 93,
     [](const Measured& m) { return ratio(m.total(1, builder, carry), m.total(1, protobuf, carry)); }},
    {"829 440 reflections, second report: the source of the object API is the slowest; beside the builder",
     783.139 / 423.756, [](const Measured& m) { return ratio(m.source(1, objects), m.source(1, builder)); }},
    {"... beside Protobuf", 783.139 / 196.873,
     [](const Measured& m) { return ratio(m.source(1, objects), m.source(1, protobuf)); }},
    {"... the sensor of the object API beside that of Protobuf, the slowest, which carries its input",
     155.593 / 401.484, [](const Measured& m) { return ratio(m.model(1, objects), m.model(1, protobuf, carry)); }},
    {"... with equal work: no model copies it", 155.593 / 401.484,
     [](const Measured& m) { return ratio(m.model(1, objects), m.model(1, protobuf)); }},
    {"829 440 reflections: 44 % more bytes", 23.0 / 16,
     [](const Measured& m) { return ratio(m.bytes(1, builder), m.bytes(1, protobuf)); }},
    {"time grows with the number of reflections: FlatBuffers", 1,
     [](const Measured& m) { return m.growth(builder, false); }},
    {"time grows with the number of reflections: Protobuf", 1,
     [](const Measured& m) { return m.growth(protobuf, carry); }},
    {"200 objects: no gain with FlatBuffers (only that of Protobuf carries its input)", 1,
     [](const Measured& m) { return ratio(m.total(5, builder), m.total(5, protobuf, carry)); }},
    {"... with equal work: no model copies it", 1,
     [](const Measured& m) { return ratio(m.total(5, builder), m.total(5, protobuf)); }},
    {"500 objects: no gain with FlatBuffers (only that of Protobuf carries its input)", 1,
     [](const Measured& m) { return ratio(m.total(6, builder), m.total(6, protobuf, carry)); }},
    {"... with equal work: no model copies it", 1,
     [](const Measured& m) { return ratio(m.total(6, builder), m.total(6, protobuf)); }},
    {"200 objects: as many bytes", 1,
     [](const Measured& m) { return ratio(m.bytes(5, builder), m.bytes(5, protobuf)); }},
    {"500 objects: as many bytes", 1,
     [](const Measured& m) { return ratio(m.bytes(6, builder), m.bytes(6, protobuf)); }},
    {"the object API takes 48 % longer than the builder (its sensor had not been converted)", 77.0 / 52,
     [](const Measured& m) { return ratio(m.total(1, objects), m.total(1, builder)); }},
    {"... and as many bytes", 1, [](const Measured& m) { return ratio(m.bytes(1, objects), m.bytes(1, builder)); }},
    {"500 objects, second report: the object API is the slowest; beside Protobuf", 16.043 / 11.905,
     [](const Measured& m) { return ratio(m.total(6, objects), m.total(6, protobuf, carry)); }},
    {"... the object API beside the builder", 16.043 / 12.129,
     [](const Measured& m) { return ratio(m.total(6, objects), m.total(6, builder)); }},
    {"500 objects, second report: the object API with update has the fastest sensor; beside Protobuf", 6.194 / 7.691,
     [](const Measured& m) { return ratio(m.model(6, update), m.model(6, protobuf, carry)); }},
    {"... beside the builder", 6.194 / 6.350,
     [](const Measured& m) { return ratio(m.model(6, update), m.model(6, builder)); }},
    {"reflections and small messages as structs: 37 % less time (printed: 63 %)", 33.0 / 52,
     [](const Measured& m) { return ratio(m.total(1, structs), m.total(1, builder)); }},
    {"... and 20 instead of 23 MB", 20.0 / 23,
     [](const Measured& m) { return ratio(m.bytes(1, structs), m.bytes(1, builder)); }},
};

/// Conclusions without a number: more or less than Protobuf.
struct Claim {
    const char* conclusion;
    bool more;
    Measured::Value (*here)(const Measured& m);
};
constexpr Claim claims[] = {
    {"the builder needs more lines of code than Protobuf", true,
     [](const Measured& m) { return ratio(m.lines(builder), m.lines(protobuf)); }},
    {"829 440 reflections: FlatBuffers has a small memory footprint", false,
     [](const Measured& m) { return ratio(m.heap(1, builder), m.heap(1, protobuf)); }},
    {"829 440 reflections: FlatBuffers gives access without parsing, fast: the time until the input can be read", false,
     [](const Measured& m) { return ratio(m.deserializing(1, builder), m.deserializing(1, protobuf)); }},
};

constexpr Conclusion of_debug_builds[] = {
    {"in a Debug build FlatBuffers takes 20 % longer than Protobuf (printed: 17 %; only that of Protobuf carries its "
     "input)",
     469.0 / 390, [](const Measured& m) { return ratio(m.total(1, builder), m.total(1, protobuf, carry)); }},
    {"... with equal work: no model copies it", 469.0 / 390,
     [](const Measured& m) { return ratio(m.total(1, builder), m.total(1, protobuf)); }},
};

struct Growth {
    const char* conclusion;
    double published;
    const char* variant;
    bool carry;
};
constexpr Growth growths[] = {
    {"Debug beside Release: 9 times as long with FlatBuffers (printed: +880 %)", 469.0 / 52, builder, false},
    {"Debug beside Release: 4.2 times as long with Protobuf, which carries its input (printed: +420 %)", 390.0 / 93,
     protobuf, carry},
};

}  // namespace

Table beside_published_conclusions(std::span<const CosimResult> results)
{
    const Measured measured(results);
    auto table = verdict_table();
    if (!is_debug_build) {
        for (const auto& row : conclusions) add_verdict(table, row.conclusion, row.published, row.here(measured));
        for (const auto& row : claims) add_claim(table, row.conclusion, row.more ? "more" : "less", row.here(measured));
        for (const auto& row : growths) add_verdict(table, row.conclusion, row.published, std::nullopt);
    }
    for (const auto& row : of_debug_builds)
        add_verdict(table, row.conclusion, row.published, is_debug_build ? row.here(measured) : std::nullopt);
    return table;
}

Table beside_published_growth(std::span<const CosimResult> results, const EarlierRun& optimised)
{
    auto table = verdict_table();
    for (const auto& row : growths) {
        std::optional<double> here;
        for (const auto& [simulated, round] : results) {
            if (simulated.figure != 1 || simulated.carry_input != row.carry) continue;
            const auto timing = std::ranges::find(round.timings, row.variant, &Timing::name);
            if (timing != round.timings.end()) here = optimised.ratio(round, *timing);
        }
        add_verdict(table, row.conclusion, row.published, is_debug_build ? here : std::nullopt);
    }
    return table;
}

}  // namespace ositrace::bench
