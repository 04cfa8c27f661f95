// SPDX-License-Identifier: MPL-2.0
// Steps a sensor model of one's own with every frame of a SensorView trace, in either encoding: step_model run.osi
#include <iostream>
#include <ositrace/message_view.hpp>
#include <ositrace/trace.hpp>
void step(const ositrace::MessageView& sensor_view, ositrace::Nanoseconds time)  // the model: no object is built
{
    std::cout << time.count() * 1e-9 << " s: sensor " << sensor_view.message(3).value().integer(1).value() << '\n';
}
int main(int, char** argv)
{
    const auto trace = ositrace::open_stream(argv[1]);
    const auto& in = trace->info().channels.front();
    for (ositrace::Frame f; trace->read(f);)
        step({f.bytes, *in.root, in.format}, ositrace::timestamp_of(f.bytes, in).value());
}
