// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/moment_sources.hpp"

#include <array>

#include <ositrace/frame_error.hpp>

#include "lib/picture/moving_objects.hpp"
#include "lib/picture/still_things.hpp"

namespace ositrace::picture {

namespace {

struct Work {
    OpenSource& source;
    const MessageView& root;
    LayerBuilder to;
};

ThingId host_id_of(const MessageView& message) { return thing_id_in(message, 0, "host_vehicle_id"); }

void add_hosts(Work& work, std::string_view field)
{
    for_each_element(work.to, work.root, field, "host vehicle", [&](const MessageView& data, std::size_t place) {
        add_host_location(work.to, data, work.to.path(field, place), host_id_of(data));
    });
}

/// StatePoints as a line of its own.
void add_path(Work& work, const MessageView& parent, std::string_view field, std::string path, ThingId id)
{
    auto& thing = work.to.add(Category::trajectory, id, Look::trajectory, std::move(path), "trajectory");
    const auto lines = work.to.layer().lines.size();
    add_trajectory(work.to, parent, field);
    if (work.to.layer().lines.size() == lines) return work.to.drop();
    const auto& line = work.to.layer().lines.back();
    thing.centre = work.to.layer().points[line.first + line.count - 1];
}

void show_host_vehicle_data(Work& work) { add_host_location(work.to, work.root, "location", host_id_of(work.root)); }

void show_traffic_update(Work& work)
{
    add_moving_objects(work.to, work.root, "update", std::nullopt);
    add_hosts(work, "internal_state");
}

void show_streaming_update(Work& work)
{
    add_stationary_objects(work.to, work.root, "stationary_object_update");
    add_moving_objects(work.to, work.root, "moving_object_update", std::nullopt);
    add_traffic_signs(work.to, work.root, "traffic_sign_update");
    add_traffic_lights(work.to, work.root, "traffic_light_update");
    add_hosts(work, "host_vehicle_data_update");
}

void show_traffic_command(Work& work)
{
    constexpr std::string_view what = "action";
    const auto participant = thing_id_in(work.root, 0, "traffic_participant_id");
    for_each_element(work.to, work.root, what, what, [&](const MessageView& action, std::size_t place) {
        const auto path = work.to.path(what, place);
        if (const auto follow = message_in(action, "follow_trajectory_action"))
            add_path(work, *follow, "trajectory_point", path + ".follow_trajectory_action", participant);
        else if (const auto along = message_in(action, "follow_path_action"))
            add_path(work, *along, "path_point", path + ".follow_path_action", participant);
        else
            work.to.notes().leave_out(what, "without a position (see the message tree)");
    });
}

void show_motion_request(Work& work)
{
    if (const auto desired = message_in(work.root, "desired_trajectory"))
        add_path(work, *desired, "trajectory_point", "desired_trajectory", {0});
}

struct Row {
    MessageType type;
    void (*show)(Work& work);
};
constexpr std::array<Row, 5> rows{{
    {MessageType::host_vehicle_data, show_host_vehicle_data},
    {MessageType::traffic_update, show_traffic_update},
    {MessageType::streaming_update, show_streaming_update},
    {MessageType::traffic_command, show_traffic_command},
    {MessageType::motion_request, show_motion_request},
}};

}  // namespace

void show_other_message(OpenSource& source, Picture& picture)
{
    const auto& origin = picture.origin;
    Work work{source, *source.root,
              LayerBuilder(source.place, "", Placement(Vector{origin[0], origin[1], origin[2]}), source.notes)};
    try {
        for (const auto& row : rows)
            if (source.is(row.type)) row.show(work);
    } catch (const Error& error) {
        source.notes.broken(within_frame(error, *source.source->frame, {}));
    }
    if (const auto layer = work.to.take(); !layer->things.empty())
        picture.layers.push_back(layer);
    else
        source.notes.say(PictureNote::Kind::information, "this " +
                                                             std::string(row_of(*source.source->channel->type).name) +
                                                             " has nothing with a place (see the message tree)");
}

}  // namespace ositrace::picture
