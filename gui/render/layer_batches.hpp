// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gui/render/shape_batch.hpp"

namespace ositrace::gui {

/// The layers of a picture on the card. Those that the last picture had too stay there.
class LayerBatches {
public:
    void take(std::shared_ptr<const Picture> picture, const RenderOptions& options);
    /// Only what may be seen there, all of it anew.
    void take(const Picture& picture, const RenderOptions& options, const PickArea& only);
    using Pass = void (ShapeBatch::*)(const ShapePrograms&, const DrawContext&, DrawPart&) const;
    void draw(Pass pass, const ShapePrograms& programs, DrawContext context, DrawPart& part) const;
    [[nodiscard]] std::uint64_t uploads() const noexcept { return uploads_; }

private:
    struct OnCard {
        std::shared_ptr<const Layer> layer;  ///< null: it is not kept for the next picture
        std::uint32_t selected = no_thing;   ///< place in Layer::things
        std::unique_ptr<ShapeBatch> batch;   ///< null: nothing is seen of it
    };
    void forget_when_drawn_otherwise(const RenderOptions& options);
    [[nodiscard]] std::unique_ptr<ShapeBatch> take_free(std::vector<OnCard>& old);

    std::vector<OnCard> layers_;
    RenderOptions drawn_with_;
    std::uint64_t uploads_ = 0;
};

}  // namespace ositrace::gui
