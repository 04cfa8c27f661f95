// SPDX-License-Identifier: MPL-2.0
#include "gui/render/layer_batches.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ositrace::gui {

namespace {
constexpr float on_a_surface = 1;  // step
}

void ShapeBatch::upload(const Shapes& shapes)
{
    ground_.upload(shapes.ground);
    flat_triangles_.upload(shapes.flat.triangles);
    flat_segments_.upload(shapes.flat.segments);
    upright_triangles_.upload(shapes.upright.triangles);
    upright_segments_.upload(shapes.upright.segments);
    over_triangles_.upload(shapes.over.triangles);
    over_segments_.upload(shapes.over.segments);
    edges_.upload(shapes.edges);
    boxes_.upload(shapes.boxes);
    glass_.upload(shapes.glass);
    glow_.upload(shapes.glow);
}

void ShapeBatch::draw_ground(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const
{
    ground_.draw(programs.triangles, context, part);
}

void ShapeBatch::draw_flat(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const
{
    flat_triangles_.draw(programs.triangles, context, part);
    flat_segments_.draw(programs.segments, context, part);
}

void ShapeBatch::draw_bodies(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const
{
    boxes_.draw(programs.boxes, programs.meshes, context, part);
    upright_triangles_.draw(programs.triangles, context, part);  // some are pictures on boxes
}

void ShapeBatch::draw_edges(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const
{
    upright_segments_.draw(programs.segments, context, part, on_a_surface);
    edges_.draw(programs.segments, context, part, on_a_surface);
}

void ShapeBatch::draw_glass(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const
{
    glass_.draw(programs.boxes, programs.meshes, context, part);
}

void ShapeBatch::draw_over(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const
{
    glDisable(GL_DEPTH_TEST);
    glow_.draw(programs.boxes, programs.meshes, context, part);
    glEnable(GL_DEPTH_TEST);
    over_triangles_.draw(programs.triangles, context, part);
    over_segments_.draw(programs.segments, context, part, on_a_surface);
}

namespace {

std::uint32_t place_of(const Layer& layer, const std::optional<ThingKey>& key)
{
    if (!key) return no_thing;
    const auto found =
        std::find_if(layer.things.begin(), layer.things.end(), [&](const Thing& thing) { return thing.key == *key; });
    return found == layer.things.end() ? no_thing : static_cast<std::uint32_t>(found - layer.things.begin());
}

}  // namespace

void LayerBatches::drop_if_options_changed(const RenderOptions& options)
{
    const bool same = options.theme == drawn_with_.theme && options.hidden == drawn_with_.hidden &&
                      options.hidden_sources == drawn_with_.hidden_sources &&
                      options.hidden_lane_types == drawn_with_.hidden_lane_types &&
                      options.styles == drawn_with_.styles && options.directions == drawn_with_.directions &&
                      options.pixel_ratio == drawn_with_.pixel_ratio;
    if (!same) {
        for (auto& each : layers_) each.layer.reset();
        for (auto& each : ahead_) each.layer.reset();
        loaded_ = nullptr;
    }
    if (options.tints != drawn_with_.tints) drop_tinted(options);
    drawn_with_ = options;
}

/// Tints change with every picture: only the layers with such things, not lanes and other static ones.
void LayerBatches::drop_tinted(const RenderOptions& options)
{
    const auto has_tint = [&](const Layer& layer) {
        return std::ranges::any_of(layer.things, [&](const Thing& thing) {
            const auto has = [&](const std::vector<ThingTint>& tints) {
                return std::ranges::binary_search(tints, thing.key, {}, &ThingTint::key);
            };
            return has(options.tints) || has(drawn_with_.tints);
        });
    };
    for (auto* const layers : {&layers_, &ahead_})
        for (auto& each : *layers)
            if (each.layer && has_tint(*each.layer)) each.layer.reset();
    loaded_ = nullptr;
}

/// In the buffers of a dropped layer, or new ones: creating buffers costs more than filling them.
std::unique_ptr<ShapeBatch> LayerBatches::upload(const Shapes& shapes)
{
    auto batch = spare_.empty() ? std::make_unique<ShapeBatch>() : std::move(spare_.back());
    if (!spare_.empty()) spare_.pop_back();
    batch->upload(shapes);
    ++uploads_;
    return batch;
}

/// Keeps their buffers, as many as the layers had.
void LayerBatches::drop(std::vector<OnCard> layers)
{
    spare_.clear();
    for (auto& each : layers)
        if (each.batch) spare_.push_back(std::move(each.batch));
}

bool LayerBatches::load_more(const Picture& picture, const RenderOptions& options)
{
    drop_if_options_changed(options);
    if (std::exchange(loaded_, &picture) != &picture) next_ = 0;
    if (next_ == 0) {
        on_card_.clear();
        for (const auto* const layers : {&layers_, &ahead_})
            for (const auto& each : *layers) on_card_.insert(each.layer.get());
    }
    while (next_ < picture.layers.size()) {
        const auto& layer = picture.layers[next_++];
        if (!on_card_.insert(layer.get()).second) continue;
        ahead_.push_back({layer, no_thing, upload(tessellate(*layer, options))});
        return true;
    }
    return false;
}

void LayerBatches::set_picture(const std::shared_ptr<const Picture>& picture, const RenderOptions& options)
{
    while (load_more(*picture, options)) {
    }
    loaded_ = nullptr;
    auto known = std::exchange(layers_, {});
    for (auto& each : std::exchange(ahead_, {})) known.push_back(std::move(each));
    for (const auto& layer : picture->layers) {
        const auto found = std::ranges::find(known, layer, &OnCard::layer);
        const bool is_again = found == known.end();  // twice in the picture
        layers_.push_back({layer, place_of(*layer, options.selected),
                           is_again ? upload(tessellate(*layer, options)) : std::move(found->batch)});
        if (!is_again) known.erase(found);
    }
    drop(std::move(known));
}

void LayerBatches::set_picture(const Picture& picture, const RenderOptions& options, const PickArea& only)
{
    drop(std::exchange(layers_, {}));
    for (const auto& layer : picture.layers) {
        auto& known = layers_.emplace_back();
        const auto shapes = tessellate(*layer, options, &only);
        if (shapes.empty()) continue;
        known.selected = place_of(*layer, options.selected);
        known.batch = upload(shapes);
    }
}

void LayerBatches::draw(Pass pass, const ShapePrograms& programs, DrawContext context, DrawSlice& part) const
{
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        if (!layers_[i].batch) continue;
        context.layer = static_cast<std::uint32_t>(i);
        context.selected = layers_[i].selected;
        ((*layers_[i].batch).*pass)(programs, context, part);
    }
}

namespace {

enum class Program : std::uint8_t { segments, triangles, boxes, points };

struct Use {
    Program program;
    bool writes_depth;
    bool is_opaque;
};

/// The simplest first: it also initializes the compiler.
constexpr std::array<Use, ShaderWarmUp::to_draw> drawn{{{Program::triangles, false, true},
                                                        {Program::triangles, false, false},
                                                        {Program::triangles, true, true},
                                                        {Program::triangles, true, false},
                                                        {Program::segments, false, false},
                                                        {Program::boxes, true, true},
                                                        {Program::boxes, false, false},
                                                        {Program::points, true, true}}};
constexpr std::array<Use, ShaderWarmUp::to_pick> picked{{{Program::triangles, false, false},
                                                         {Program::triangles, true, false},
                                                         {Program::segments, false, false},
                                                         {Program::boxes, true, false}}};

/// One point with a value, coloured by a field.
std::shared_ptr<const Cloud> point()
{
    auto cloud = std::make_shared<Cloud>();
    cloud->points = {Point{}};
    cloud->fields.resize(1);
    cloud->fields[0].name = "value";
    cloud->fields[0].values = {0};
    return cloud;
}

}  // namespace

ShaderWarmUp::ShaderWarmUp() : points_(point()) { segments_.upload({Segment{}}); }

void ShaderWarmUp::draw(std::size_t which, const ShapePrograms& programs, const ShaderProgram& point_program,
                        DrawContext context)
{
    const auto& use = context.picking ? picked.at(which) : drawn.at(which);
    const auto alpha = static_cast<std::uint8_t>(use.is_opaque ? 255 : 0);
    DrawSlice everything;
    glDepthMask(use.writes_depth ? GL_TRUE : GL_FALSE);
    switch (use.program) {
    case Program::segments: segments_.draw(programs.segments, context, everything); break;
    case Program::triangles:
        triangles_.upload(std::vector(3, TriangleVertex{.colour = {0, 0, 0, alpha}}));
        triangles_.draw(programs.triangles, context, everything);
        break;
    case Program::boxes:
        boxes_.upload({BoxInstance{.colour = {0, 0, 0, alpha}}});
        boxes_.draw(programs.boxes, programs.meshes, context, everything);
        break;
    case Program::points:
        points_.draw_slice(point_program, context, 0, {},
                           CloudColouring{.field = "value", .unit = {}, .from = 0, .to = 1}, passing_points_);
        break;
    }
    glDepthMask(GL_TRUE);
}

}  // namespace ositrace::gui
