// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/replay_rounds.hpp"

#include "app/bench/replay/mapped_file.hpp"
#include "app/bench/replay/replay_variants.hpp"

namespace ositrace::bench {
namespace {

Round round_of(const PlayedFiles& files, const char* name, PageCache cache)
{
    return {std::string(name) + (cache == PageCache::warm ? ", warm page cache" : ", dropped page cache"),
            static_cast<std::size_t>(files.frames),
            "frame",
            Clock::wall,
            {read_of_protobuf_file(files)}};
}

void prepare(Round& round, const PlayedFiles& files, PageCache cache)
{
    if (cache == PageCache::warm) return;
    for (auto& variant : round.variants)
        variant.before = [files] { drop_from_page_cache(files.protobuf), drop_from_page_cache(files.flat); };
}

}  // namespace

RoundResult measure_sensor(const PlayedFiles& files, const Bench& bench, PageCache cache)
{
    auto round = round_of(files, "every 18th reflection into the sensor", cache);
    for (const auto& row : replay_rows()) round.variants.push_back(sensor_variant(row, files));
    round.question = "How long from a file to a result?";
    prepare(round, files, cache);
    return bench.measure(round);
}

void measure_arrays(const PlayedFiles& files, const Bench& bench, PageCache cache, const Elements& elements)
{
    auto round = round_of(files, "all reflections into arrays", cache);
    for (const auto& row : replay_rows())
        if (row.columns != nullptr) round.variants.push_back(arrays_variant(row, files, elements));
    round.question = "How long from a file to a result?";
    prepare(round, files, cache);
    bench.measure(round);
}

}  // namespace ositrace::bench
