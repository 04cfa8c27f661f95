// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/earlier_run.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <ositrace/error.hpp>

#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

Struct read_json(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(Cause::io, {.file = file}, "cannot be read");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    Struct document;
    if (!google::protobuf::util::JsonStringToMessage(text, &document).ok())
        throw Error(Cause::malformed, {.file = file},
                    "no JSON object; 'osiplay bench VERB --json >FILE' writes the expected file");
    return document;
}

const Value& member(const Struct& object, const char* name)
{
    static const Value none;
    const auto found = object.fields().find(name);
    return found == object.fields().end() ? none : found->second;
}

double nanoseconds(const Struct& row, const char* name)
{
    const auto& text = member(row, name).string_value();
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(number))
        throw Error(Cause::malformed, std::string(name) + " of a row is '" + text + "', expected a decimal number");
    return number;
}

}  // namespace

EarlierRun::EarlierRun(const std::filesystem::path& file) : file_(file)
{
    const auto document = read_json(file);
    try {
        for (const auto& value : member(document, "rows").list_value().values()) {
            const auto& row = value.struct_value();
            rows_[{member(row, "name").string_value(), member(row, "variant").string_value()}] =
                Spread{nanoseconds(row, "median_ns"), nanoseconds(row, "q1_ns"), nanoseconds(row, "q3_ns"),
                       member(row, "things").number_value()};
        }
    } catch (const Error& error) {
        throw error.within({.file = file});
    }
}

const EarlierRun::Spread* EarlierRun::counterpart(const RoundResult& round, const Timing& timing) const
{
    const auto found = rows_.find({round.name, timing.name});
    return found == rows_.end() || found->second.things != static_cast<double>(round.things) ? nullptr : &found->second;
}

std::optional<double> EarlierRun::ratio(const RoundResult& round, const Timing& now) const
{
    const auto* const then = counterpart(round, now);
    if (then == nullptr || then->median <= 0) return std::nullopt;
    return now.median() / then->median;
}

Table EarlierRun::compare(const Report& now, bool& differs) const
{
    Table table{"Beside " + file_.filename().string(),
                {"A row differs if its quartiles and those of the other run do not overlap."},
                {{"task", "variant", "then", "now", "now / then", ""}}};
    for (const auto& round : now.rounds)
        for (const auto& timing : round.timings) {
            const auto* const then = counterpart(round, timing);
            if (then == nullptr) continue;
            const bool beside = timing.quantile(0.25) > then->q3 || timing.quantile(0.75) < then->q1;
            differs = differs || beside;
            table.rows.push_back({round.name, timing.name, time_text(then->median), time_text(timing.median()),
                                  ratio_text(ratio(round, timing)), beside ? "differs" : "within the spread"});
        }
    if (table.rows.size() == 1)
        throw Error(Cause::mismatch, {.file = file_},
                    "no row in common with this run; is it one of the same verb, with as much work?");
    return table;
}

}  // namespace ositrace::bench
