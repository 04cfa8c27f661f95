// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/bench_command.hpp"

namespace ositrace::bench {

namespace {

constexpr std::size_t quick_bytes = std::size_t{1} << 20;

}  // namespace

void TraceBenchCommand::declare_more(app::Options& options)
{
    options.words("TRACE", words_, 1, 1);
    options.option("--frames", "A:B", "frames from number A until before B, counted from 0",
                   [this](const std::string& text) { frames_ = FrameRange::parse(text); });
    options.option("--topic", "REGEX", "the first channel whose topic has a match of this regular expression",
                   [this](const std::string& text) { topic_.emplace(text); });
    declare_of_verb(options);
    input_.declare(options);
}

void TraceBenchCommand::measure_all(const Bench& bench)
{
    SampleOptions options;
    options.open = input_.open_options();
    options.open.stop = bench.stop;
    options.frames = frames_;
    options.topic = topic_;
    options.stop = bench.stop;
    if (bench.quick) options.most_bytes = quick_bytes;
    const auto sample = load_sample(words_.front(), options);
    bench.say(sample.text());
    measure(sample, bench);
}

}  // namespace ositrace::bench
