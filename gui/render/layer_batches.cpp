// SPDX-License-Identifier: MPL-2.0
#include "gui/render/layer_batches.hpp"

#include <algorithm>
#include <optional>

namespace ositrace::gui {

namespace {

std::uint32_t place_of(const Layer& layer, const std::optional<ThingKey>& key)
{
    if (!key) return no_thing;
    const auto found =
        std::find_if(layer.things.begin(), layer.things.end(), [&](const Thing& thing) { return thing.key == *key; });
    return found == layer.things.end() ? no_thing : static_cast<std::uint32_t>(found - layer.things.begin());
}

}  // namespace

void LayerBatches::forget_when_drawn_otherwise(const RenderOptions& options)
{
    const bool same = options.theme == drawn_with_.theme && options.hidden == drawn_with_.hidden &&
                      options.pixel_ratio == drawn_with_.pixel_ratio;
    if (!same) {
        for (auto& layer : layers_) layer.layer.reset();
    }
    drawn_with_ = options;
}

/// Of a layer that is gone, or a new one: making buffers costs more than filling them.
std::unique_ptr<ShapeBatch> LayerBatches::take_free(std::vector<OnCard>& old)
{
    const auto found =
        std::find_if(old.begin(), old.end(), [](const OnCard& layer) { return layer.batch && !layer.layer; });
    return found == old.end() ? std::make_unique<ShapeBatch>() : std::move(found->batch);
}

void LayerBatches::take(std::shared_ptr<const Picture> picture, const RenderOptions& options)
{
    forget_when_drawn_otherwise(options);
    std::vector<OnCard> old = std::move(layers_);
    layers_.clear();
    for (const auto& layer : picture->layers) {
        const auto found =
            std::find_if(old.begin(), old.end(), [&](const OnCard& known) { return known.layer == layer; });
        layers_.push_back(
            {layer, place_of(*layer, options.selected), found == old.end() ? nullptr : std::move(found->batch)});
        if (found != old.end()) old.erase(found);
    }
    for (auto& layer : old) layer.layer.reset();
    for (auto& layer : layers_) {
        if (layer.batch) continue;
        layer.batch = take_free(old);
        layer.batch->upload(tessellate(*layer.layer, options));
        ++uploads_;
    }
}

void LayerBatches::take(const Picture& picture, const RenderOptions& options, const PickArea& only)
{
    std::vector<OnCard> old = std::move(layers_);
    layers_.clear();
    for (const auto& layer : picture.layers) {
        auto& known = layers_.emplace_back();
        const auto shapes = tessellate(*layer, options, &only);
        if (shapes.empty()) continue;
        known.selected = place_of(*layer, options.selected);
        known.batch = take_free(old);
        known.batch->upload(shapes);
        ++uploads_;
    }
}

void LayerBatches::draw(Pass pass, const ShapePrograms& programs, DrawContext context, DrawPart& part) const
{
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        if (!layers_[i].batch) continue;
        context.layer = static_cast<std::uint32_t>(i);
        context.selected = layers_[i].selected;
        ((*layers_[i].batch).*pass)(programs, context, part);
    }
}

}  // namespace ositrace::gui
