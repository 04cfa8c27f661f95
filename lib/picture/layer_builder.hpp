// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/picture.hpp>

#include "lib/picture/notes.hpp"
#include "lib/picture/placement.hpp"

namespace ositrace::picture {

/// Fills a layer with the things of one message. Bounded, because elements of a few bytes become things of hundreds.
class LayerBuilder {
public:
    static constexpr std::size_t max_things = 100'000;
    static constexpr std::size_t max_points = 4'000'000;
    static constexpr std::size_t max_marks = 1'000'000;
    static constexpr std::size_t max_elements =
        20'000'000;  ///< visited: a FlatBuffer may refer to one element a million times

    /// `prefix`: of paths, `global_ground_truth.`. `notes` must outlive it.
    LayerBuilder(std::uint32_t source, std::string prefix, const Placement& placement, Notes& notes)
        : source_(source),
          prefix_(std::move(prefix)),
          placement_(placement),
          notes_(&notes),
          layer_(std::make_shared<Layer>())
    {
    }

    [[nodiscard]] const Placement& placement() const noexcept { return placement_; }
    [[nodiscard]] Notes& notes() const noexcept { return *notes_; }
    [[nodiscard]] Layer& layer() noexcept { return *layer_; }
    [[nodiscard]] bool has_room(std::size_t points = 0) const noexcept;
    /// The limit that was reached, if there is no room any more: `100 000`, `4 000 000 points`.
    [[nodiscard]] std::string limit() const;
    /// Counts visited elements.
    void look(std::size_t count = 1) noexcept { elements_left_ -= std::min(count, elements_left_); }
    [[nodiscard]] std::string path(std::string_view field, std::size_t place) const;

    /// Adds a thing of this source; the marks added next belong to it.
    Thing& add(Category category, ThingId id, Look look, std::string path, std::string type);
    [[nodiscard]] Thing& thing() noexcept { return layer_->things.back(); }
    /// Removes the last added thing, which has no marks yet.
    void drop() noexcept { layer_->things.pop_back(); }
    void box(Look look, Point centre, std::array<float, 3> size, std::array<float, 3> rotation, float strength = 1,
             bool wire_only = false);
    /// Gives the last added box a shape.
    void shape_box(BodyShape shape, float steering) noexcept;
    /// Adds points for the next marks; returns the index of the first.
    std::uint32_t points(std::span<const Point> points);
    void line(Look look, std::uint32_t first, std::size_t count, const LineMark& like = {});
    void line(Look look, std::span<const Point> points, const LineMark& like = {});
    void strip(Look look, std::span<const Point> points, bool fading, float strength = 1);

    /// The things so far; nothing can be added after this call.
    [[nodiscard]] std::shared_ptr<Layer> take() noexcept { return std::move(layer_); }

private:
    [[nodiscard]] std::uint32_t last_thing() const noexcept
    {
        return static_cast<std::uint32_t>(layer_->things.size() - 1);
    }

    std::uint32_t source_;
    std::string prefix_;
    Placement placement_;
    Notes* notes_;
    std::shared_ptr<Layer> layer_;
    std::array<std::unordered_map<std::uint64_t, std::uint32_t>, category_count>
        with_id_;  ///< number of things with each id
    std::size_t elements_left_ = max_elements;
};

/// Calls `show(element, place)` for the elements of a repeated message as long as there is room; a broken element is
/// counted as a `what` and skipped. Throws Error if the bytes between elements are broken.
template <class Show>
void for_each_element(LayerBuilder& to, const MessageView& parent, std::string_view field, std::string_view what,
                      const Show& show)
{
    const auto* const row = repeated_messages(parent.table(), field);
    if (row == nullptr) return;
    std::size_t place = 0;
    const auto guarded = [&](const auto& element) {
        to.look();
        if (!to.has_room()) return false;
        try {
            show(element(), place);
        } catch (const Error& error) {
            to.notes().unreadable(what, error.within({.field = to.path(field, place)}));
        }
        ++place;
        return true;
    };
    std::size_t left = 0;
    if (parent.wire_bytes()) {
        parent.for_each_element(*row, [&](const Value& value) {
            if (left != 0 || !guarded([&] { return std::get<MessageView>(value); })) ++left;
            return true;
        });
    } else {
        const auto elements = parent.repeated(*row);
        while (place != elements.size() && guarded([&] { return std::get<MessageView>(elements[place]); })) {
        }
        left = elements.size() - place;
    }
    if (left != 0) to.notes().cut_off(what, left, place + left, to.limit());
}

struct ArrowStyle {
    Look look = Look::centerline;
    float every = 20;     ///< metres along the line
    float length = 1.5F;  ///< m
    float width = 0.12F;  ///< m
    float strength = 1;
    bool backwards = false;
};

/// Arrows along a line of the last added thing that show its direction. Their number is limited, so that the layer has
/// room for things.
void add_direction_arrows(LayerBuilder& to, std::span<const Point> line, const ArrowStyle& style);

}  // namespace ositrace::picture
