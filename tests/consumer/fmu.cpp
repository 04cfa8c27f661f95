// SPDX-License-Identifier: MPL-2.0
// One step of the model that the command line names.
#include <string>
#include <vector>

#include <ositrace/fmu_model.hpp>

int main(int, char** words)
{
    using namespace ositrace;
    Channel channel{.topic = "trace",
                    .type = MessageType::sensor_view,
                    .type_name = "osi3.SensorView",
                    .schema = Schema::built_in()};
    channel.root = &channel.schema->root(MessageType::sensor_view);
    TraceInfo info;
    info.channels.push_back(channel);
    const std::string payload("\x12\x02\x08\x01", 4);
    const std::vector frames{Frame{.bytes = bytes_of(payload)}};

    const auto model = open_fmu(words[1]);
    model->initialize(info, {.now = std::chrono::seconds(1), .step = std::chrono::seconds(1), .first = frames});
    const auto returned = model->step(frames, std::chrono::seconds(1), std::chrono::seconds(1)).size();
    model->finish();
    return returned == 1 ? 0 : 1;
}
