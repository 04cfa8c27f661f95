// SPDX-License-Identifier: MPL-2.0
// The figures and conclusions of the published report, beside ours.
#include "app/bench/structs/structs_results.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>

#include "app/bench/core/verdict.hpp"
#include "app/bench/structs/struct_codec.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

/// A row of the report's three tables.
struct Published {
    std::string_view row;                                               ///< ours
    double time, reference_time;                                        ///< of 1 000 000 structs, in ms
    double user_20us, reference_20us, user_10us, reference_10us, lost;  ///< in percent
};
constexpr std::array published_rows{
    Published{"json-c, map", 6277.83, 1200.89, 15.9721, 8.54256, 16.2015, 8.1891, 10},
    Published{"json-c, array", 2998.72, 1191.66, 13.6176, 9.7356, 13.037, 11.3055, 1},
    Published{"libfastjson, map", 5352.58, 1139.51, 17.2202, 7.7794, 18.2595, 9.5965, 8},
    Published{"libfastjson, array", 3949.36, 1200.41, 15.2671, 8.2157, 14.522, 8.2352, 2},
    Published{"strings, map", 9230.53, 1210.04, 18.1587, 9.9473, 17.8897, 8.8097, 15},
    Published{"strings, array", 4840.94, 1208.35, 14.3041, 7.8589, 15.5686, 8.1932, 3},
    Published{"CBOR, map", 4157.42, 1148.41, 13.9631, 9.8442, 15.1908, 9.7744, 5},
    Published{"CBOR, array", 2961.49, 1138.15, 12.4146, 9.7576, 11.5144, 8.6803, 0},
    Published{"Protobuf, protobuf-c", 2592.74, 1140.63, 12.2676, 9.1648, 11.4677, 8.202, 0},
    Published{"XDR", 1514.05, 1137.76, 9.8269, 9.8547, 11.1945, 8.4452, 0}};
constexpr std::string_view reference_row = "memcpy, the reference";
constexpr double at_20us = 50'000, at_10us = 100'000;

/// The row that does what the published program did: of json-c, libfastjson and libcbor it handed objects over.
std::string as_published(std::string_view row)
{
    std::string name(row);
    const auto comma = name.find(',');
    if (name.starts_with("json-c") || name.starts_with("libfastjson")) name.insert(comma, " objects");
    if (name.starts_with("CBOR")) name.insert(comma, " items");
    return name;
}

const Published* published(std::string_view row)
{
    const auto found = std::ranges::find_if(
        published_rows, [&](const auto& of) { return of.row == row || as_published(of.row) == row; });
    return found == published_rows.end() ? nullptr : &*found;
}

const Timing* timing(const RoundResult& round, std::string_view row)
{
    const auto found = std::ranges::find(round.timings, row, &Timing::name);
    return found == round.timings.end() ? nullptr : &*found;
}

/// Of one struct in nanoseconds; empty if it was not measured.
std::optional<double> each(const RoundResult& round, std::string_view row)
{
    const auto* const of_row = timing(round, row);
    if (of_row == nullptr) return std::nullopt;
    return of_row->median() / static_cast<double>(round.things);
}

std::optional<double> less_reference(const RoundResult& round, std::string_view row)
{
    const auto time = each(round, row), reference = each(round, reference_row);
    if (!time || !reference) return std::nullopt;
    return *time - *reference;
}

std::optional<double> ratio_of(std::optional<double> one, std::optional<double> other)
{
    return one && other && *other > 0 ? std::optional(*one / *other) : std::nullopt;
}

std::string of_million(std::optional<double> each_time) { return each_time ? time_text(*each_time * 1e6) : ""; }
std::string percent(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}
std::string microseconds(double frequency) { return app::decimal_text(1e6 / frequency, 0) + " us"; }

/// Appends ratios with "as published" first, and beside it with equal work where that differs.
class Conclusions {
public:
    explicit Conclusions(Table& table) : table_(table) {}

    /// `here(one, other)`, of rows; the reference if the second is empty.
    template <class Here>
    void add(const std::string& conclusion, double published_ratio, std::string_view one, std::string_view other,
             Here&& here)
    {
        const auto first = as_published(one), second = as_published(other);
        add_verdict(table_, conclusion, published_ratio, here(first, second));
        if (first != one || second != other)
            add_verdict(table_, "... with equal work: text or bytes are written and parsed", published_ratio,
                        here(one, other));
    }

private:
    Table& table_;
};

/// The published time without the reference.
double net(std::string_view row)
{
    const auto* const of_row = published(row);
    return of_row->time - of_row->reference_time;
}

void conclude_on_times(Table& table, const StructsResults& results)
{
    Conclusions conclusions(table);
    const auto here = [&](std::string_view one, std::string_view other) {
        return ratio_of(less_reference(results.together, one), less_reference(results.together, other));
    };
    const auto add = [&](const std::string& conclusion, std::string_view one, std::string_view other) {
        conclusions.add(conclusion, net(one) / net(other), one, other, here);
    };
    conclusions.add("as maps the JSON libraries do not differ: libfastjson beside json-c", 1, "libfastjson, map",
                    "json-c, map", here);
    add("... by its own table", "libfastjson, map", "json-c, map");
    add("strings written and parsed by hand take longer than json-c, as maps", "strings, map", "json-c, map");
    add("... as arrays", "strings, array", "json-c, array");
    add("arrays are faster than maps: json-c", "json-c, array", "json-c, map");
    add("arrays are faster than maps: libfastjson", "libfastjson, array", "libfastjson, map");
    add("arrays are faster than maps: strings", "strings, array", "strings, map");
    add("arrays are faster than maps: CBOR", "CBOR, array", "CBOR, map");
    add("json-c is no bad choice: as array beside libfastjson", "json-c, array", "libfastjson, array");
    add("json-c is no bad choice: as array as fast as CBOR", "json-c, array", "CBOR, array");
    add("Protobuf is faster than json-c as map", "Protobuf, protobuf-c", "json-c, map");
    add("XDR is the fastest: beside Protobuf", "XDR", "Protobuf, protobuf-c");
    add("XDR is the fastest: beside json-c as map", "XDR", "json-c, map");
    add_claim(table, "nlohmann-json has alarming results: more time than json-c as map", "more",
              ratio_of(each(results.together, "nlohmann-json, map"), each(results.together, "json-c, map")));
    const double copies = published("json-c, map")->reference_time;  // ns each, as ms of a million
    add_verdict(table, "two copies of the struct, the reference, take 1.2 us: ours beside it", 1,
                ratio_of(each(results.together, reference_row), copies));
}

void conclude_on_processor_time(Table& table, const StructsResults& results)
{
    Conclusions conclusions(table);
    const auto here = [&](std::string_view one, std::string_view) -> std::optional<double> {
        const auto *const of_row = results.at(at_20us, one), *const reference = results.at(at_20us, reference_row);
        if (of_row == nullptr || reference == nullptr) return std::nullopt;
        return ratio_of(of_row->user(), reference->user());
    };
    for (const auto& [row, what] :
         {std::pair("json-c, map", "every 20 us, user time beside the reference: json-c as map"),
          std::pair("strings, map", "... strings as map, the most"), std::pair("json-c, array", "... json-c as array"),
          std::pair("CBOR, array", "... CBOR as array"), std::pair("Protobuf, protobuf-c", "... Protobuf"),
          std::pair("XDR", "... XDR, as much as the reference")}) {
        const auto* const of_row = published(row);
        conclusions.add(what, of_row->user_20us / of_row->reference_20us, row, "", here);
    }
}

/// A conclusion about lost structs: some are lost if they are more than the reference lost in any run, since then it is
/// not the machine.
void add_loss(Table& table, const StructsResults& results, const std::string& conclusion, double frequency,
              std::string_view row, double published_loss)
{
    const auto *const of_row = results.at(frequency, row), *const reference = results.at(frequency, reference_row);
    const bool comparable = of_row != nullptr && reference != nullptr;
    std::vector<std::string> cells{conclusion, app::decimal_text(published_loss, 0) + " %", "", "was not comparable"};
    if (comparable) {
        const double here = of_row->lost(0.5);
        cells[2] = percent(here) + " % (" + percent(reference->lost(0)) + " .. " + percent(reference->lost(1)) + ")";
        cells[3] = (published_loss > 0) == (here > reference->lost(1)) ? "holds" : "does not hold";
    }
    table.rows.push_back(std::move(cells));
}

void conclude_on_losses(Table& table, const StructsResults& results)
{
    add_loss(table, results, "every 20 us: all structs arrive, as json-c as map", at_20us, "json-c objects, map", 0);
    for (const auto& of_row : published_rows) {
        const std::string row(of_row.row);
        add_loss(table, results, "every 10 us, lost: " + row, at_10us, as_published(row), of_row.lost);
        if (as_published(row) != row)
            add_loss(table, results, "... with equal work: text or bytes are written and parsed", at_10us, row,
                     of_row.lost);
    }
    std::vector<double> references;
    for (const auto& of_row : published_rows) {
        references.push_back(of_row.reference_20us);
        references.push_back(of_row.reference_10us);
    }
    const auto [least, most] = std::ranges::minmax(references);
    std::optional<double> here;
    if (const auto* const reference = results.at(at_20us, reference_row); reference != nullptr)
        here = ratio_of(reference->processor(1), reference->processor(0));
    add_verdict(table, "the reference itself scatters: most beside least of its runs (7.8 to 11.3 % as published)",
                most / least, here);
}

}  // namespace

double PacedSeries::user() const
{
    double used = 0, elapsed = 0;
    for (const auto& run : runs) used += run.user, elapsed += run.elapsed;
    return elapsed > 0 ? 100 * used / elapsed : 0;
}

double PacedSeries::system() const
{
    double used = 0, elapsed = 0;
    for (const auto& run : runs) used += run.system, elapsed += run.elapsed;
    return elapsed > 0 ? 100 * used / elapsed : 0;
}

double PacedSeries::reached() const
{
    double sent = 0, elapsed = 0;
    for (const auto& run : runs) sent += static_cast<double>(run.sent), elapsed += run.elapsed;
    return elapsed > 0 ? sent / elapsed * 1e9 : 0;
}

double PacedSeries::lost(double share) const
{
    std::vector<double> shares;
    for (const auto& run : runs) shares.push_back(100 * static_cast<double>(run.lost) / static_cast<double>(run.sent));
    return quantile_of(std::move(shares), share);
}

double PacedSeries::processor(double share) const
{
    std::vector<double> shares;
    for (const auto& run : runs) shares.push_back(100 * (run.user + run.system) / run.elapsed);
    return quantile_of(std::move(shares), share);
}

const PacedSeries* StructsResults::at(double frequency, std::string_view row) const
{
    const auto found = std::ranges::find_if(
        paced, [&](const auto& series) { return series->frequency == frequency && series->row == row; });
    return found == paced.end() || (*found)->runs.empty() ? nullptr : found->get();
}

Table million_structs(const StructsResults& results)
{
    Table table{
        "Time of 1 000 000 structs",
        {"Serialised and parsed; \"less reference\": without the time of two memcpy's. Of json-c, libfastjson and "
         "CBOR the published program handed objects over and wrote no text: compare it with the rows of "
         "objects and items."},
        {{"", "published", "less reference", "serialise", "parse", "both", "less reference", "bytes", "allocations"}}};
    for (const auto& row : struct_rows()) {
        const auto* const both = timing(results.together, row.name);
        if (both == nullptr) continue;
        const auto* const theirs = published(row.name);
        table.rows.push_back(
            {row.name, theirs != nullptr ? time_text(theirs->time * 1e6) : "",
             theirs != nullptr ? time_text((theirs->time - theirs->reference_time) * 1e6) : "",
             of_million(each(results.serialising, row.name)), of_million(each(results.parsing, row.name)),
             of_million(each(results.together, row.name)), of_million(less_reference(results.together, row.name)),
             both->bytes == 0 ? ""
                              : app::decimal_text(
                                    static_cast<double>(both->bytes) / static_cast<double>(results.together.things), 1),
             both->heap ? std::to_string(both->heap->allocations) : ""});
    }
    return table;
}

Table paced_figures(const StructsResults& results)
{
    Table table{
        "Two threads: processor time in percent of one core, and lost structs",
        {"User and system time of both threads over all runs, as the clock ticks divide them; the published figures "
         "are the user time of a whole machine.",
         "A struct is lost if the one before is not parsed when it is due; lost: median, and least to most of the "
         "runs. Sent: kHz of 100 that this machine reaches, because it wakes a thread late."},
        {{"", "20 us, published", "user", "system", "10 us, published", "user", "system", "lost, published", "lost",
          "of the runs", "sent"}}};
    for (const auto& row : struct_rows()) {
        const auto *const slow = results.at(at_20us, row.name), *const fast = results.at(at_10us, row.name);
        if (slow == nullptr || fast == nullptr) continue;
        const auto* const theirs = published(row.name);
        const auto published_text = [&](double Published::* of) {
            return theirs != nullptr ? percent(theirs->*of) : "";
        };
        table.rows.push_back({row.name, published_text(&Published::user_20us), percent(slow->user()),
                              percent(slow->system()), published_text(&Published::user_10us), percent(fast->user()),
                              percent(fast->system()), published_text(&Published::lost), percent(fast->lost(0.5)),
                              percent(fast->lost(0)) + " .. " + percent(fast->lost(1)),
                              percent(fast->reached() / 1000)});
    }
    return table;
}

Table processor_curve(const StructsResults& results)
{
    Table table{
        "Processor time by frequency", {"User and system time of both threads, in percent of one core."}, {{""}}};
    std::set<double> frequencies;
    for (const auto& series : results.paced) frequencies.insert(series->frequency);
    Chart chart{.x_title = "structs per second", .y_title = "% of a core", .text = percent};
    for (const double frequency : frequencies) {
        table.rows[0].push_back(app::decimal_text(frequency / 1000, 0) + " kHz, " + microseconds(frequency));
        chart.at.push_back(frequency);
    }
    for (const auto& row : struct_rows()) {
        std::vector<std::string> cells{row.name};
        Chart::Series line{row.name, row.role, {}};
        for (const double frequency : frequencies)
            if (const auto* const series = results.at(frequency, row.name); series != nullptr) {
                cells.push_back(percent(series->processor()));
                line.values.push_back(series->processor());
            }
        if (line.values.size() != frequencies.size()) continue;
        table.rows.push_back(std::move(cells));
        chart.series.push_back(std::move(line));
    }
    table.chart = std::move(chart);
    return table;
}

Table structs_conclusions(const StructsResults& results)
{
    auto table = verdict_table();
    table.notes.push_back(
        "The published program handed objects of json-c, libfastjson and libcbor from writer to reader and wrote no "
        "text: rows \"as published\" do the same. Beside lost structs are those of the reference, least to most of its "
        "runs; some are lost if they are more than that.");
    conclude_on_times(table, results);
    conclude_on_processor_time(table, results);
    conclude_on_losses(table, results);
    table.rows.push_back({"85 % of a binding's time is spent in json-c", "0.85", "", "was not comparable"});
    return table;
}

Headline structs_headline(const StructsResults& results, const Table& conclusions)
{
    const auto time = [&](std::string_view row) { return each(results.together, row); };
    const auto text = [&](std::string_view row) { return time_text(*time(row)); };
    Headline headline{.chart = "Time of a struct: serialising and parsing"};
    for (const auto& of : results.together.timings) {
        if (each(results.parsing, of.name) == std::nullopt) continue;  // objects, which no other process can read
        const double one = of.median() / static_cast<double>(results.together.things);
        headline.bars.push_back({of.name, of.role, one, time_text(one)});
    }
    // The rows of strings exist without any library.
    const std::string_view json = time("json-c, map") ? "json-c, map" : "strings, map";
    headline.sentence = "Choose a binary format: a struct takes " + text("ositrace") + " with ositrace, " +
                        text("Protobuf") + " with libprotobuf and " + text("FlatBuffers, verified") +
                        " as verified FlatBuffers, but " + text(json) + " as JSON (" + std::string(json) + ").";
    const auto arrays = ratio_of(time("json-c, array"), time("json-c, map"));
    if (arrays)
        headline.advice.push_back("If it must be JSON, write arrays: with json-c they take " + ratio_text(arrays) +
                                  " times as long as maps.");
    if (const auto* const reference = results.at(at_10us, reference_row); reference != nullptr)
        headline.advice.push_back(
            "At 100 kHz check the machine first: of two threads that only copy the struct, this one "
            "wakes the sender " +
            percent(reference->reached() / 1000) + " thousand times per second, and " + percent(reference->lost(0.5)) +
            " % of what is sent is lost.");
    using namespace std::chrono_literals;
    headline.advice.push_back("Set the timer slack of a thread that sleeps for less than a millisecond: 10 us last " +
                              time_text(sleep_with_slack(10us, 1ns)) + " here with a slack of 1 ns, " +
                              time_text(sleep_with_slack(10us, 50us)) + " with the default of 50 us.");
    if (const auto objects = ratio_of(time("json-c, map"), time("json-c objects, map")))
        headline.advice.push_back("Within a process hand over objects instead of text: text takes " +
                                  ratio_text(objects) + " times as long with json-c.");
    const auto count = [&](std::string_view verdict) {
        return std::ranges::count_if(conclusions.rows, [&](const auto& row) { return row.back() == verdict; });
    };
    headline.advice.push_back("Read the published report with care: " + std::to_string(count("holds")) +
                              " of its conclusions hold here, " + std::to_string(count("does not hold")) + " do not.");
    return headline;
}

}  // namespace ositrace::bench
