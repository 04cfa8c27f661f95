// SPDX-License-Identifier: MPL-2.0
// A frame of the sample scene, the dummy sensor's answer to it, a picture and a comparison of both, a table, and a
// curve.
#include <array>
#include <memory>

#include <ositrace/compare_objects.hpp>
#include <ositrace/curve.hpp>
#include <ositrace/dummy_sensor.hpp>
#include <ositrace/map_finder.hpp>
#include <ositrace/picture_maker.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/table.hpp>

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
    if (!PictureMaker().make(sources)->host) return 1;

    ObjectComparer comparer({std::make_shared<const Channel>(scene.info().channels.front()),
                             std::make_shared<const Channel>(sensor->outputs().channels.front())},
                            {ObjectSet::ground_truth, ObjectSet::detections}, {});
    if (comparer.compare({&view, nullptr}, {returned.data(), nullptr}).pairs.empty()) return 1;

    const auto& channel = scene.info().channels.front();
    TableBuilder table(TablePlan::named(TableKind::objects, channel.schema, *channel.root), channel.format);
    table.add(view);
    if (!table.has_rows()) return 1;

    return CurveExpression::compile(*channel.root, "derivative(timestamp.seconds)").paths().size() == 1 ? 0 : 1;
}
