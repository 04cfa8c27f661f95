// SPDX-License-Identifier: MPL-2.0
#include <array>

#include <ositrace/error.hpp>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

using MakeColumns = Variant (*)(const Sample&, const Elements&);
constexpr std::array rows{memcpy_of_columns,         libprotobuf_columns, libprotobuf_columns_fresh,
                          libprotobuf_columns_arena, flatbuffers_columns, flatbuffers_columns_verified,
                          our_columns_of_protobuf,   our_columns_of_flat};

class ColumnsBench final : public TraceBenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "columns",
                .summary = "lidar reflections or detections into arrays: libprotobuf, FlatBuffers, ours",
                .usage = {"columns TRACE [--quick] [--json] [--html REPORT] [--repetitions N] [--python PYTHON]"},
                .notes = {"What a perception algorithm starts with. A trace of SensorView with reflections, or of "
                          "SensorData with detections."},
                .examples = {"columns lidar.osi", "columns detections.mcap --topic lidar --html report.html"}};
    }

protected:
    std::string title() const override { return "Elements of a message into arrays"; }
    void declare_of_verb(app::Options& options) override
    {
        options.option("--python", "PYTHON",
                       "Python interpreter with the package ptars (app/bench/opponents.txt); default python3",
                       [this](const std::string& name) { python_ = name; });
    }
    void measure(const Sample& sample, const Bench& bench) override;

private:
    void measure_python(const Sample& sample, const Bench& bench, const Elements& elements, std::size_t count) const;

    std::string python_ = "python3";
};

void ColumnsBench::measure(const Sample& sample, const Bench& bench)
{
    const auto* const elements = elements_in(sample);
    if (elements == nullptr)
        throw Error(Cause::mismatch, {.file = sample.file},
                    "neither lidar reflections (SensorView) nor lidar detections (SensorData) in these frames; "
                    "'osiconvert generate lidar.osi --reflections 100000' makes a trace with them");
    std::string columns;
    for (const auto name : elements->columns) columns += (columns.empty() ? "" : ", ") + std::string(name);
    const auto count = count_elements(*elements, sample);
    bench.say(app::count_text(count, elements->thing) + " in all, columns of doubles: " + columns +
              ". What is not set is 0.");
    Round round{std::string(elements->name) + " into arrays", count, std::string(elements->thing), Clock::thread, {}};
    round.question = "How long until values are in arrays?";
    for (const auto make : rows) round.variants.push_back(make(sample, *elements));
    bench.measure(round);
    measure_python(sample, bench, *elements, count);
}

/// Another process can be timed by the wall clock only, so the variants it is compared with are timed again.
void ColumnsBench::measure_python(const Sample& sample, const Bench& bench, const Elements& elements,
                                  std::size_t count) const
{
    auto ptars = ptars_columns(sample, elements, python_, bench.scratch);
    if (!ptars)
        return bench.say("ptars (Protobuf to Arrow) was not measured: '" + python_ +
                         "' lacks it. pip install --require-hashes -r app/bench/opponents.txt, and --python.");
    Round round{std::string(elements.name) + " into arrays, beside Python",
                count,
                std::string(elements.thing),
                Clock::wall,
                {}};
    round.question = "How long until values are in arrays?";
    for (const auto make : {memcpy_of_columns, libprotobuf_columns, our_columns_of_protobuf})
        round.variants.push_back(make(sample, elements));
    round.variants.push_back(std::move(*ptars));
    bench.measure(round);
}

}  // namespace

std::unique_ptr<TraceBenchCommand> columns_bench() { return std::make_unique<ColumnsBench>(); }

}  // namespace ositrace::bench
