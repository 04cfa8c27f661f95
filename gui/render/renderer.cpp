// SPDX-License-Identifier: MPL-2.0
#include "gui/render/renderer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "gui/render/layer_batches.hpp"
#include "gui/render/pick_area.hpp"
#include "gui/render/point_batch.hpp"

namespace ositrace::gui {

namespace {

/// Boxes, lines and areas in a slice: takes about as long as a slice of a cloud without a graphics card (llvmpipe: 70
/// ns each).
constexpr std::size_t slice_vertices = 100'000;

void require_opengl()
{
    GLint major = 0, minor = 0;
    if (!glGetString(GL_VERSION)) throw Error(Cause::unsupported, "no OpenGL context is current");
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (major * 10 + minor < 33) {
        throw Error(Cause::unsupported,
                    "OpenGL " + std::to_string(major) + "." + std::to_string(minor) + " found, 3.3 expected");
    }
}

/// Earlier drawing (Qt's painter) may have left another state.
void set_state()
{
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
}

}  // namespace

struct Renderer::Implementation {
    ShapePrograms programs;
    ShaderProgram points = point_program();
    ColourMap colour_map;
    LayerBatches drawn_layers, picked_layers;
    SegmentBatch grid, axes;
    PickBuffer pick_buffer;
    ShaderWarmUp warm_up;
    std::size_t used_to_draw = 0, used_to_pick = 0;
    std::vector<PointBatch> clouds;
    PointBuffer passing_points;

    std::shared_ptr<const Picture> picture;
    Camera camera;
    RenderOptions options;
    const RenderTarget* target = nullptr;
    std::optional<ViewTransform> view;
    std::optional<CloudColouring> colouring;
    std::size_t shape_vertices_drawn = 0;
    bool more_shapes = false;
    std::size_t next_cloud = 0, next_slice = 0;

    void set_picture(std::shared_ptr<const Picture> next, const Camera& from, const RenderOptions& with,
                     const RenderTarget& to)
    {
        picture = std::move(next);
        camera = from;
        options = with;
        target = &to;
        view.emplace(camera, picture->origin, to.size());
        colouring = colouring_of(*picture, options);
        drawn_layers.set_picture(picture, options);
        axes.upload(axes_of(*picture, options));
        upload_clouds();
        grid.upload(ground_grid(*picture, camera, options));
        shape_vertices_drawn = next_cloud = next_slice = 0;
        skip_done();
    }
    /// A cloud that the previous picture shares stays on the graphics card.
    void upload_clouds()
    {
        std::vector<PointBatch> kept;
        for (const auto& cloud : picture->clouds) {
            if (!options.shows(cloud->key) || cloud->points.empty()) continue;
            const auto found = std::find_if(clouds.begin(), clouds.end(),
                                            [&](const PointBatch& batch) { return batch.cloud() == cloud; });
            if (found == clouds.end()) {
                kept.emplace_back(cloud);
            } else {
                kept.push_back(std::move(*found));
                clouds.erase(found);
            }
        }
        clouds = std::move(kept);
    }
    [[nodiscard]] DrawContext context() const { return {.view = &*view, .highlight = highlight_of(options.theme)}; }
    void begin_colours(const RenderTarget& to) const
    {
        to.bind();
        set_state();
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);  // alpha would make the window transparent
    }
    void begin_picking(DrawContext& context, double x, double y) const
    {
        pick_buffer.begin(context, x, y);
        set_state();
        glDisable(GL_BLEND);
    }
    void draw_shapes(const DrawContext& context, DrawSlice& part) const
    {
        const auto& layers = context.picking ? picked_layers : drawn_layers;
        glDepthMask(GL_FALSE);
        if (!context.picking) grid.draw(programs.segments, context, part);
        layers.draw(&ShapeBatch::draw_ground, programs, context, part);
        layers.draw(&ShapeBatch::draw_flat, programs, context, part);
        glDepthMask(GL_TRUE);
        layers.draw(&ShapeBatch::draw_bodies, programs, context, part);
        if (context.picking) layers.draw(&ShapeBatch::draw_glass, programs, context, part);
        glDepthMask(GL_FALSE);
        if (!context.picking) layers.draw(&ShapeBatch::draw_glass, programs, context, part);
        layers.draw(&ShapeBatch::draw_edges, programs, context, part);
        layers.draw(&ShapeBatch::draw_over, programs, context, part);
        if (options.axes && !context.picking) axes.draw(programs.segments, context, part);
        glDepthMask(GL_TRUE);
    }
    void draw_more_shapes()
    {
        begin_colours(*target);
        DrawSlice part(shape_vertices_drawn, slice_vertices);
        draw_shapes(context(), part);
        shape_vertices_drawn += part.drawn();
        more_shapes = !part.reaches_end();
    }
    void draw_cloud_slice()
    {
        if (next_cloud == clouds.size()) return;
        target->resolve();
        begin_colours(*target);
        colour_map.bind();
        clouds[next_cloud].draw_slice(points, context(), next_slice++, options, colouring, passing_points);
        skip_done();
    }
    void skip_done()
    {
        while (next_cloud < clouds.size() && next_slice >= clouds[next_cloud].slices()) {
            ++next_cloud;
            next_slice = 0;
        }
    }
};

Renderer::Renderer()
{
    require_opengl();
    implementation_ = std::make_unique<Implementation>();
}

Renderer::~Renderer() = default;

bool Renderer::prepare_drawing()
{
    auto& self = *implementation_;
    self.begin_colours(self.warm_up.target());
    self.colour_map.bind();
    self.warm_up.draw(self.used_to_draw++, self.programs, self.points, self.warm_up.context());
    return self.used_to_draw < ShaderWarmUp::to_draw;
}

bool Renderer::prepare_picking()
{
    auto& self = *implementation_;
    auto context = self.warm_up.context();
    self.begin_picking(context, 0, 0);
    self.warm_up.draw(self.used_to_pick++, self.programs, self.points, context);
    return self.used_to_pick < ShaderWarmUp::to_pick;
}

bool Renderer::load_more(const Picture& picture, const RenderOptions& options)
{
    return implementation_->drawn_layers.load_more(picture, options);
}

void Renderer::begin(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
                     const RenderTarget& target)
{
    auto& self = *implementation_;
    self.set_picture(std::move(picture), camera, options, target);
    target.begin();
    set_state();
    const auto background = background_of(options.theme);
    glClearColor(background[0], background[1], background[2], 1);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    self.draw_more_shapes();
}

bool Renderer::draw_more()
{
    auto& self = *implementation_;
    if (self.more_shapes) {
        self.draw_more_shapes();
        return true;
    }
    self.draw_cloud_slice();
    return self.next_cloud < self.clouds.size();
}

bool Renderer::has_more_shapes() const noexcept { return implementation_->more_shapes; }

void Renderer::finish()
{
    glFinish();
    constexpr GLenum context_lost = 0x0507;  // since OpenGL 4.5
    constexpr int most_errors = 16;          // a lost context reports errors without end
    for (int i = 0; i < most_errors; ++i) {
        const auto error = glGetError();
        if (error == GL_NO_ERROR) return;  // other errors are harmless leftovers of Qt
        if (error == GL_OUT_OF_MEMORY) throw Error(Cause::unsupported, "OpenGL has not enough memory for the scene");
        if (error == context_lost) throw Error(Cause::unsupported, "the graphics card was reset");
    }
}

void Renderer::draw(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
                    const RenderTarget& target)
{
    begin(std::move(picture), camera, options, target);
    while (draw_more()) {
    }
    finish();
}

std::optional<Pick> Renderer::pick(double x, double y, PickOrder order)
{
    auto& self = *implementation_;
    if (!self.picture) return std::nullopt;
    auto context = self.context();
    self.picked_layers.set_picture(*self.picture, self.options, PickArea(*self.view, x, y, PickBuffer::side));
    self.begin_picking(context, x, y);
    DrawSlice everything;
    self.draw_shapes(context, everything);
    auto thing = self.pick_buffer.read(*self.picture, *self.view, x, y);
    const double radius = 4 * static_cast<double>(self.options.pixel_ratio);
    auto point = pick_point(*self.picture, *self.view, x, y, radius, self.options);
    return chosen_of(std::move(thing), std::move(point), order);
}

const std::optional<CloudColouring>& Renderer::colouring() const noexcept { return implementation_->colouring; }

std::uint64_t Renderer::layer_uploads() const noexcept { return implementation_->drawn_layers.uploads(); }

using Clock = std::chrono::steady_clock;

void SlicedDrawing::set(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
                        PixelSize size)
{
    if (picture == picture_ && camera == camera_ && options == options_ && size == size_) return;
    picture_ = std::move(picture);
    camera_ = camera;
    options_ = options;
    size_ = size;
    stale_ = picture_ != nullptr;
}

void SlicedDrawing::begin()
{
    stale_ = false;
    begun_ = more_ = false;  // and remain false if something throws
    spent_ = {};
    auto& target = targets_[1 - shown_];
    if (!target || target->size() != size_) target.emplace(size_);
    renderer_.begin(picture_, camera_, options_, *target);
    begun_ = more_ = true;
    renderer_.finish();
}

bool SlicedDrawing::prepare(bool (Renderer::*one)())
{
    const bool more = (renderer_.*one)();
    renderer_.finish();
    return more;
}

void SlicedDrawing::draw_more()
{
    const bool shapes = renderer_.has_more_shapes();
    more_ = renderer_.draw_more();
    renderer_.finish();  // else the slices only queue up, and the last one takes all the time
    if (!shapes && std::exchange(begun_, false)) shown_ = 1 - shown_;
}

bool SlicedDrawing::prepare_more()
{
    if (draws_soon_) draws_soon_ = prepare(&Renderer::prepare_drawing);
    return draws_soon_;
}

bool SlicedDrawing::advance(std::chrono::nanoseconds budget)
{
    const auto start = Clock::now();
    bool stepped = false;
    const auto may_step = [&] { return !std::exchange(stepped, true) || Clock::now() - start < budget; };
    while (draws_soon_ && may_step()) prepare_more();
    if (draws_soon_) return true;
    while (begun_ && may_step()) draw_more();  // pictures that come faster than they are drawn are seen all the same
    while (stale_ && !begun_ && may_step())
        if (!renderer_.load_more(*picture_, options_)) begin();
    while (more_ && may_step()) draw_more();
    spent_ += Clock::now() - start;
    if (is_complete()) drawn_in_ = spent_;
    while (is_complete() && picks_soon_ && may_step()) picks_soon_ = prepare(&Renderer::prepare_picking);
    return !is_idle();
}

}  // namespace ositrace::gui
