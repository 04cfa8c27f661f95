// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "gui/render/point_batch.hpp"
#include "gui/render/primitive_batches.hpp"
#include "gui/render/render_target.hpp"

namespace ositrace::gui {

struct ShapePrograms {
    ShaderProgram triangles = triangle_program();
    ShaderProgram segments = segment_program();
    ShaderProgram boxes = box_program();
    BodyMeshBuffer meshes;
};

/// The shapes of a layer on the graphics card.
class ShapeBatch {
public:
    void upload(const Shapes& shapes);
    void draw_ground(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const;
    void draw_flat(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const;
    void draw_bodies(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const;
    void draw_edges(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const;
    void draw_glass(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const;
    void draw_over(const ShapePrograms& programs, const DrawContext& context, DrawSlice& part) const;

private:
    TriangleBatch ground_, flat_triangles_, upright_triangles_, over_triangles_;
    SegmentBatch flat_segments_, upright_segments_, over_segments_, edges_;
    BoxBatch boxes_, glass_, glow_;
};

/// The layers of a picture on the graphics card. Layers that the previous picture shares stay there.
class LayerBatches {
public:
    /// Optional: keeps set_picture() of this picture short. Uploads one of its layers; false: all are uploaded.
    bool load_more(const Picture& picture, const RenderOptions& options);
    void set_picture(const std::shared_ptr<const Picture>& picture, const RenderOptions& options);
    /// Uploads all layers again, without the shapes outside of `only`.
    void set_picture(const Picture& picture, const RenderOptions& options, const PickArea& only);
    using Pass = void (ShapeBatch::*)(const ShapePrograms&, const DrawContext&, DrawSlice&) const;
    void draw(Pass pass, const ShapePrograms& programs, DrawContext context, DrawSlice& part) const;
    [[nodiscard]] std::uint64_t uploads() const noexcept { return uploads_; }

private:
    struct OnCard {
        std::shared_ptr<const Layer> layer;  ///< null: not kept for the next picture
        std::uint32_t selected = no_thing;   ///< place in Layer::things
        std::unique_ptr<ShapeBatch> batch;   ///< null: nothing of it is visible
    };
    void drop_if_options_changed(const RenderOptions& options);
    void drop_tinted(const RenderOptions& options);
    [[nodiscard]] std::unique_ptr<ShapeBatch> upload(const Shapes& shapes);
    void drop(std::vector<OnCard> layers);

    std::vector<OnCard> layers_;
    std::vector<OnCard> ahead_;                       ///< layers of the next picture
    const Picture* loaded_ = nullptr;                 ///< the next picture; null: load_more() begins anew
    std::size_t next_ = 0;                            ///< its first layer that load_more() has not seen
    std::unordered_set<const Layer*> on_card_;        ///< of layers_ and ahead_, while a picture is loaded
    std::vector<std::unique_ptr<ShapeBatch>> spare_;  ///< their buffers are used again
    RenderOptions drawn_with_;
    std::uint64_t uploads_ = 0;
};

/// A driver compiles a shader when it first draws with it, and again for another state: tens of milliseconds each. Each
/// of these first uses is a step of its own and draws something invisible.
class ShaderWarmUp {
public:
    static constexpr std::size_t to_draw = 8, to_pick = 4;  ///< number of steps

    ShaderWarmUp();
    /// Target of the steps that draw.
    [[nodiscard]] const RenderTarget& target() const noexcept { return target_; }
    /// `context`: picking or not.
    void draw(std::size_t which, const ShapePrograms& programs, const ShaderProgram& point_program,
              DrawContext context);
    [[nodiscard]] DrawContext context() const noexcept { return {.view = &view_}; }

private:
    RenderTarget target_{{1, 1}};
    ViewTransform view_{Camera{}, {}, {1, 1}};
    SegmentBatch segments_;
    TriangleBatch triangles_;
    BoxBatch boxes_;
    PointBatch points_;
    PointBuffer passing_points_;
};

}  // namespace ositrace::gui
