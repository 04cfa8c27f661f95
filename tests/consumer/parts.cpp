// SPDX-License-Identifier: MPL-2.0
// A frame of the sample scene, the dummy sensor's answer to it, and a picture of both.
#include <array>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/map_finder.hpp>
#include <ositrace/picture_maker.hpp>
#include <ositrace/scene.hpp>

int main()
{
    using namespace ositrace;
    SceneSource scene({.frames = 1}, 1);
    Frame view;
    if (!scene.read(view)) return 1;

    const auto sensor = dummy_sensor();
    const std::array views{view};
    sensor->initialize(scene.info(), {.first = views});
    const auto returned = sensor->step(views, {}, std::chrono::seconds(1));
    if (returned.size() != 1) return 1;

    const std::array sources{PictureSource{.frame = &view, .channel = scene.info().channels.data()},
                             PictureSource{.frame = returned.data(), .channel = sensor->outputs().channels.data()}};
    return PictureMaker().make(sources)->host ? 0 : 1;
}
