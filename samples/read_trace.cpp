// SPDX-License-Identifier: MPL-2.0
// Where the moving objects of a SensorView trace are, frame by frame, in either encoding: read_trace run.osi
#include <iostream>
#include <ositrace/field_path.hpp>
#include <ositrace/trace.hpp>
int main(int, char** argv)
{
    const auto trace = ositrace::open_stream(argv[1]);
    const auto& channel = trace->info().channels.front();
    const auto x = ositrace::FieldPath::compile(*channel.root, "global_ground_truth.moving_object[*].base.position.x");
    std::vector<ositrace::Value> values;
    for (ositrace::Frame frame; trace->read(frame); values.clear())
        for (x.collect({frame.bytes, *channel.root, channel.format}, values); const auto& value : values)
            std::cout << frame.index << ' ' << std::get<double>(value) << '\n';
}
