// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/bench/cosim/published.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

constexpr double no = std::numeric_limits<double>::quiet_NaN();  ///< not given
constexpr const char *first = "first report", *second = "second report";
using row::builder, row::objects, row::protobuf, row::structs, row::update;

/// generate, serialize; deserialize, calculate, serialize result.
using Stages = std::array<double, 5>;

struct Published {
    int figure;           ///< of the first report, which has the same case
    const char* variant;  ///< the variant here that does the same
    const char* report;
    Stages stages;
    double source = no, model = no;  ///< if the stages are not given
};
constexpr Published published[] = {
    {1, protobuf, first, {17, 10, 26, 30, 10}},
    {1, protobuf, second, {90.368, 106.505, 166.630, 128.216, 106.638}},
    {1, builder, first, {40, 3, 0, 9, 0}},
    {1, builder, second, {418.972, 4.784, 0.023, 121.248, 0.416}},
    {1, objects, first, {15, 53, 0, 9, 0}},  // figure 8; its sensor was not converted to the object API
    {1, objects, second, {311.465, 471.674, 0.103, 102.556, 52.934}},
    {1, structs, first, {20, no, no, 5, no}, 28, 5},  // figure 9; the text says "around 20"
    {2, protobuf, first, {8, 5, 12, 15, 5}},
    {2, protobuf, second, {46.975, 53.596, 83.428, 64.589, 53.393}},
    {2, builder, first, {18, 2, 0, 4, 0}},
    {2, builder, second, {212.188, 2.447, 0.023, 60.604, 0.022}},
    {2, objects, second, {155.393, 227.332, 0.078, 51.338, 26.413}},
    {3, protobuf, first, {2, 1, 3, 4, 1}},
    {3, protobuf, second, {11.886, 13.681, 20.940, 16.207, 13.430}},
    {3, builder, first, {5, 0, 0, 1, 0}},
    {3, builder, second, {53.151, 0.645, 0.020, 15.467, 0.051}},
    {3, objects, second, {39.596, 59.696, 0.033, 13.148, 6.756}},
    {4, protobuf, first, {0, 0, 0, 0, 0}},
    {4, protobuf, second, {0.119, 0.040, 0.052, 0.155, 0.051}},
    {4, builder, first, {0, 0, 0, 0, 0}},
    {4, builder, second, {0.160, 0.006, 0.019, 0.171, 0.010}},
    {4, objects, second, {0.174, 0.096, 0.020, 0.183, 0.069}},
    {4, update, second, {0.095, 0.110, 0.023, 0.140, 0.080}},
    {5, protobuf, first, {1, 0, 0, 1, 0}},
    {5, protobuf, second, {1.463, 0.349, 0.627, 2.135, 0.467}},
    {5, builder, first, {1, 0, 0, 1, 0}},
    {5, builder, second, {2.248, 0.010, 0.016, 2.437, 0.011}},
    {5, objects, second, {2.559, 1.185, 0.021, 2.853, 0.570}},
    {5, update, second, {1.002, 1.192, 0.016, 1.975, 0.575}},
    {6, protobuf, first, {2, 0, 0, 2, 0}},
    {6, protobuf, second, {3.391, 0.822, 1.544, 5.042, 1.104}},
    {6, builder, first, {2, 0, 0, 2, 0}},
    {6, builder, second, {5.761, 0.018, 0.016, 6.319, 0.015}},
    {6, objects, second, {4.828, 2.881, 0.020, 6.991, 1.323}},
    {6, update, second, {2.447, 2.925, 0.015, 4.833, 1.346}},
    {7, protobuf, first, {no, no, no, no, no}, 132, 258},
    {7, builder, first, {no, no, no, no, no}, 352, 117},
};

constexpr const char* cases[] = {"",
                                 "1: 829 440 reflections, 10 objects",
                                 "2: 400 000 reflections, 10 objects",
                                 "3: 100 000 reflections, 10 objects",
                                 "4: 10 objects",
                                 "5: 200 objects",
                                 "6: 500 objects",
                                 "7: 829 440 reflections, 10 objects, Debug build"};

/// Sizes of the SensorView in the first report.
const char* size_of(const Published& row)
{
    if (row.report != first) return "";
    const bool flat = row.variant != protobuf;
    switch (row.figure) {
    case 1:
    case 7: return row.variant == structs ? "20 MB" : flat ? "23 MB" : "16 MB";
    case 2: return flat ? "11 MB" : "8 MB";
    case 4: return flat ? "2.4 kB" : "2.2 kB";
    case 5: return "41 kB";
    case 6: return "103 kB";
    default: return "";
    }
}

std::string figure_of(const Published& row)
{
    if (row.variant == objects && row.figure == 1) return "8: as 1, object API";
    if (row.variant == structs) return "9: as 1, structs";
    return cases[row.figure];
}

std::string milliseconds(double time)
{
    return std::isnan(time) ? "" : app::decimal_text(time, time < 0.0995 ? 3 : time < 9.95 ? 2 : 1);
}

std::vector<std::string> cells(std::string figure, std::string variant, std::string who, const Stages& stages,
                               double source, double model, std::string size)
{
    std::vector<std::string> row{std::move(figure), std::move(variant), std::move(who)};
    for (const double stage : stages) row.push_back(milliseconds(stage));
    row.push_back(milliseconds(source));
    row.push_back(milliseconds(model));
    row.push_back(std::move(size));
    return row;
}

std::vector<std::string> cells(const Published& row)
{
    const auto& s = row.stages;
    const bool summed = std::isnan(row.source);
    return cells(figure_of(row), row.variant, row.report, s, summed ? s[0] + s[1] : row.source,
                 summed ? s[2] + s[3] + s[4] : row.model, size_of(row));
}

/// As published: the Protobuf sensor carries its input, that of FlatBuffers does not.
struct Found {
    const Timing* timing = nullptr;
    std::size_t steps = 1;
};
Found measured(std::span<const CosimResult> results, const Published& row)
{
    const int figure = row.figure == 7 ? 1 : row.figure;
    for (const auto& [simulated, round] : results) {
        if (simulated.figure != figure || simulated.carry_input != (row.variant == protobuf)) continue;
        const auto found = std::ranges::find(round.timings, row.variant, &Timing::name);
        if (found != round.timings.end() && found->stages.size() == 5) return {&*found, round.things};
    }
    return {};
}

std::vector<std::string> cells_of_ours(const Published& row, const Timing& timing, std::size_t steps)
{
    Stages stages{};
    for (std::size_t i = 0; i < stages.size(); ++i) stages[i] = quantile_of(timing.stages[i].samples, 0.5) / 1e6;
    return cells(figure_of(row), row.variant, "here", stages, stages[0] + stages[1], stages[2] + stages[3] + stages[4],
                 app::bytes_text(timing.bytes / steps));
}

}  // namespace

Table beside_published_figures(std::span<const CosimResult> results)
{
    Table table{"Beside the published figures, milliseconds a step",
                {"As published: the sensor of Protobuf carries its input, that of FlatBuffers does not. Figure 10 is "
                 "that of 'osiplay "
                 "bench replay'.",
                 "The first report rounds to milliseconds; the second experimenter's machine or build was five to ten "
                 "times as slow. His slides "
                 "repeat the first report's table; what he gives for figures 7 and 9 is that."},
                {{"figure", "variant", "who", "generate", "serialize", "deserialize", "calculate", "serialize result",
                  "source", "model", "SensorView"}}};
    const auto last = std::end(published);
    for (auto row = std::begin(published); row != last; ++row) {
        table.rows.push_back(cells(*row));
        const auto next = std::next(row);
        if (next != last && next->figure == row->figure && next->variant == row->variant) continue;
        const auto [timing, steps] = is_debug_build == (row->figure == 7) ? measured(results, *row) : Found();
        if (timing != nullptr) table.rows.push_back(cells_of_ours(*row, *timing, steps));
    }
    return table;
}

}  // namespace ositrace::bench
