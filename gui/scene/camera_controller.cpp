// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/camera_controller.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "gui/render/box_line.hpp"

namespace ositrace::gui {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double radians_per_pixel = 0.006;
constexpr double start_distance = 32;  // metres behind the host
constexpr double start_pitch = 0.42;
constexpr double bird_share = 2.2;  // factor of the distance in the bird's eye view

bool is_number(const GlobalPoint& place) noexcept
{
    return std::isfinite(place[0]) && std::isfinite(place[1]) && std::isfinite(place[2]);
}

/// A thing, approximated by a ball.
struct Spot {
    std::uint32_t source = 0;  ///< its channel
    Vector centre{};
    double reach = 0;
};

void add_spot(std::vector<Spot>& to, std::uint32_t source, const Point& centre, const std::array<float, 3>& size)
{
    const Spot spot{source, to_vector(centre), length(to_vector(size)) / 2};
    if (is_number(spot.centre)) to.push_back({source, spot.centre, std::isfinite(spot.reach) ? spot.reach : 0});
}

double middle_of(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<double> distances_from(const Vector& place, const std::vector<Spot>& spots)
{
    std::vector<double> distances;
    for (const auto& spot : spots) distances.push_back(length(spot.centre - place));
    return distances;
}

/// A single thing far away must not make all others too small to see.
std::vector<Spot> without_far_away(std::vector<Spot> spots)
{
    constexpr double usual_share = 12, never_far = 100;
    if (spots.size() < 3) return spots;
    Vector middle{};
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<double> values;
        for (const auto& spot : spots) values.push_back(spot.centre[i]);
        middle[i] = middle_of(std::move(values));
    }
    const double most = std::max(usual_share * middle_of(distances_from(middle, spots)), never_far);
    std::erase_if(spots, [&](const Spot& spot) { return length(spot.centre - middle) > most; });
    return spots;
}

Extent extent_of(const std::vector<Spot>& spots)
{
    Extent extent{spots.front().centre, spots.front().centre};
    for (const auto& spot : spots) {
        for (std::size_t i = 0; i < 3; ++i) {
            extent.least[i] = std::min(extent.least[i], spot.centre[i] - spot.reach);
            extent.most[i] = std::max(extent.most[i], spot.centre[i] + spot.reach);
        }
    }
    return extent;
}

/// What is far away is so within its channel: the scenes of two traces may be kilometres apart. If no view shows them
/// all, that of most things is left.
void drop_far_away(std::vector<Spot>& spots)
{
    std::ranges::stable_sort(spots, {}, &Spot::source);
    std::vector<Spot> left;
    for (auto first = spots.begin(); first != spots.end();) {
        const auto last = std::ranges::upper_bound(first, spots.end(), first->source, {}, &Spot::source);
        std::ranges::move(without_far_away({first, last}), std::back_inserter(left));
        first = last;
    }
    spots = std::move(left);
    if (spots.empty()) return;
    const auto extent = extent_of(spots);
    if (length(extent.most - extent.least) > CameraController::farthest) spots = without_far_away(std::move(spots));
}

bool is_moving(const Thing& thing) noexcept { return is_road_user(thing.key.category); }

template <class Wanted>
std::vector<Spot> spots_of(const Picture& picture, Wanted wanted)
{
    std::vector<Spot> spots;
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (wanted(thing)) add_spot(spots, thing.key.source, thing.centre, thing.size);
    return spots;
}

/// Moving things only: map and stationary objects appear and disappear while things move, so the view would jump.
std::vector<Spot> spots_of_moving(const Picture& picture)
{
    auto spots = spots_of(picture, is_moving);
    drop_far_away(spots);
    return spots;
}

std::optional<double> heading_of_moving(const Picture& picture)
{
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (is_moving(thing) && std::isfinite(thing.rotation[2])) return static_cast<double>(thing.rotation[2]);
    return std::nullopt;
}

/// About a thousand of these points.
void add_points(std::vector<Spot>& spots, std::uint32_t source, const std::vector<Point>& points)
{
    const auto step = std::max<std::size_t>(points.size() / 1000, 1);
    for (std::size_t i = 0; i < points.size(); i += step) add_spot(spots, source, points[i], {});
}

/// Objects, the ends of lanes, and clouds.
std::vector<Spot> spots_of_all(const Picture& picture)
{
    auto spots = spots_of(picture, [](const Thing&) { return true; });
    for (const auto& layer : picture.layers)
        if (!layer->things.empty()) add_points(spots, layer->things.front().key.source, layer->points);
    for (const auto& cloud : picture.clouds) add_points(spots, cloud->key.source, cloud->points);
    drop_far_away(spots);
    return spots;
}

GlobalPoint middle_of(const Extent& extent) { return 0.5 * (extent.least + extent.most); }

double distance_to(const Extent& extent, const GlobalPoint& place)
{
    Vector outside{};
    for (std::size_t i = 0; i != outside.size(); ++i)
        outside[i] = place[i] - std::clamp(place[i], extent.least[i], extent.most[i]);
    return length(outside);
}

/// About the vertical axis.
Vector turned(const Vector& way, double angle) noexcept
{
    return {std::cos(angle) * way[0] - std::sin(angle) * way[1], std::sin(angle) * way[0] + std::cos(angle) * way[1],
            way[2]};
}

/// The middle of a view, in which the scene is framed: the sides of a wide view are left to legend and orientation.
PixelSize framed_part(PixelSize view) noexcept
{
    constexpr PixelSize usual{1000, 800};  // of a view whose size is not known yet
    if (view == PixelSize{}) return usual;
    return {std::min(view.width, view.height * usual.width / usual.height), view.height};
}

std::vector<Vector> corners_of(const Extent& extent, const GlobalPoint& from)
{
    std::vector<Vector> corners(8);
    for (std::size_t corner = 0; corner != corners.size(); ++corner)
        for (std::size_t i = 0; i < 3; ++i)
            corners[corner][i] = ((corner >> i & 1) != 0 ? extent.most[i] : extent.least[i]) - from[i];
    return corners;
}

/// In the framed part of a view, with a margin.
bool are_visible(const std::vector<GlobalPoint>& places, const Camera& camera, PixelSize of_view)
{
    const auto size = framed_part(of_view);
    const double margin = 0.0375 * std::min(size.width, size.height);
    const ViewTransform view(camera, camera.target, size);
    return std::ranges::all_of(places, [&](const GlobalPoint& place) {
        const auto at = view.project(place - camera.target);
        return at && std::clamp(at->x, margin, size.width - margin) == at->x &&
               std::clamp(at->y, margin, size.height - margin) == at->y;
    });
}

/// The distance at which all places are visible with a margin. They are relative to the target.
double distance_for(const std::vector<Vector>& places, const Camera& camera, PixelSize of_view)
{
    constexpr double margin = 1.2, closest = 20;
    const ViewTransform view(camera, camera.target, {});
    const auto size = framed_part(of_view);
    const double high = std::tan(Camera::field_of_view / 2), wide = high * size.width / size.height;
    double distance = 0;
    for (const auto& from : places) {
        const double aside = std::abs(dot(from, view.right())) / wide, above = std::abs(dot(from, view.up())) / high;
        const double nearer = view.parallel() ? 0 : -dot(from, view.forward());
        distance = std::max(distance, margin * std::max(aside, above) + nearer);
    }
    return std::clamp(distance, view.parallel() ? bird_share * start_distance : closest, CameraController::farthest);
}

/// What hides the view, unlike a pole, a tree or a low wall.
bool is_large(const std::array<float, 3>& size) noexcept
{
    constexpr float least_side = 4, least_height = 2.5F;
    return std::min(size[0], size[1]) >= least_side && size[2] >= least_height;
}

/// Where a line from outside enters a box, as a part of the line. Empty: it does not, or begins inside.
std::optional<double> entry_into(const BoxMark& box, const Vector& begin, const Vector& line)
{
    const auto inside = inside_part(box, begin, line);
    return inside && inside->enters > 0 ? std::optional(inside->enters) : std::nullopt;
}

/// Where a line first meets the walls of a house with a polygon as its base, as a part of the line; 1: it does not.
double part_before_walls(const Layer& layer, const LineMark& walls, const Vector& begin, const Vector& way)
{
    constexpr double own_place = 0.5;  // m: the begin may be on the wall
    double before = 1;
    for (std::uint32_t i = 1; i < walls.count; ++i) {
        const auto from = to_vector(layer.points[walls.first + i - 1]);
        const auto wall = to_vector(layer.points[walls.first + i]) - from, to_wall = from - begin;
        const double cross = way[0] * wall[1] - way[1] * wall[0];
        if (cross == 0) continue;
        const double part = (to_wall[0] * wall[1] - to_wall[1] * wall[0]) / cross;
        const double along = (to_wall[0] * way[1] - to_wall[1] * way[0]) / cross;
        const double above = begin[2] + part * way[2] - from[2];
        const bool meets = part * length(way) > own_place && along >= 0 && along <= 1 && above >= 0 &&
                           above <= static_cast<double>(walls.height);
        if (meets) before = std::min(before, part);
    }
    return before;
}

/// The free part of the line of sight from its target to the eye. `of`: what is looked at does not hide itself.
double free_part(const Picture& picture, const Vector& target, const Vector& to_eye,
                 const std::optional<ThingKey>& of = {})
{
    double free = 1;
    const auto may_hide = [&](const Layer& layer, std::uint32_t thing) {
        const auto& key = layer.things[thing].key;
        return key.category == Category::stationary_object && key != of;
    };
    for (const auto& layer : picture.layers) {
        for (const auto& box : layer->boxes)
            if (is_large(box.size) && may_hide(*layer, box.thing))
                free = std::min(free, entry_into(box, target, to_eye).value_or(1));
        for (const auto& line : layer->lines)
            if (line.height > 0 && may_hide(*layer, line.thing) && is_large(layer->things[line.thing].size))
                free = std::min(free, part_before_walls(*layer, line, target, to_eye));
    }
    return free;
}

}  // namespace

Camera CameraController::camera_for(const Picture& picture) const
{
    constexpr double near_subject = 10, before_wall = 1, closest = 6;
    const bool follows = follows_ && last_pose_ && camera_.view == View::orbit &&
                         length(camera_.target - last_pose_->place) < near_subject;
    if (!follows) return camera_;
    const ViewTransform view(camera_, picture.origin, {});
    const auto target = camera_.target - picture.origin;
    const double part = free_part(picture, target, view.eye() - target);
    auto camera = camera_;
    if (part < 1)
        camera.distance = std::min(camera_.distance, std::max(part * camera_.distance - before_wall, closest));
    return camera;
}

void CameraController::set_camera(const Camera& camera) noexcept
{
    if (!is_number(camera.target) || !std::isfinite(camera.yaw) || !std::isfinite(camera.pitch) ||
        !std::isfinite(camera.distance))
        return;
    camera_ = camera;
    camera_.distance = std::clamp(camera.distance, nearest, farthest);
    is_moved_by_user_ = true;
}

std::optional<PlacedCamera::Beside> CameraController::beside() const
{
    if (!follows_) return std::nullopt;
    if (last_pose_) return PlacedCamera::Beside{last_pose_->place, last_pose_->yaw};
    if (moving_ && !followed_) return PlacedCamera::Beside{middle_of(*moving_), std::nullopt};
    return std::nullopt;
}

PlacedCamera CameraController::placed_camera() const
{
    PlacedCamera placed;
    static_cast<Camera&>(placed) = camera_;
    placed.has_target = placed_for_ != Subject::none;
    if (placed.has_target) placed.beside = beside();
    return placed;
}

void CameraController::restore(const PlacedCamera& placed)
{
    if (placed_for_ == Subject::none) {
        camera_ = placed;
        awaited_ = placed;
        return;
    }
    constexpr double near_scene = 1000;  // m
    Camera camera = placed;
    const bool turns_with_it = placed.view == View::bird ? turning_.from_above : turning_.in_3d;
    const auto now = placed.beside ? beside() : std::nullopt;
    if (placed.has_target && now) {
        const double turn =
            turns_with_it && now->heading && placed.beside->heading ? *now->heading - *placed.beside->heading : 0;
        camera.target = now->place + turned(placed.target - placed.beside->place, turn);
        camera.yaw = std::remainder(camera.yaw + turn, 2 * pi);
    } else if (!placed.has_target || !extent_ || distance_to(*extent_, placed.target) > near_scene) {
        camera.target = camera_.target;
    }
    set_camera(camera);
}

void CameraController::set_view(View view)
{
    if (camera_.view == view) return;
    awaited_.reset();
    const double yaw_before = camera_.yaw;
    camera_.view = view;
    camera_.distance = std::clamp(view == View::bird ? camera_.distance * bird_share : camera_.distance / bird_share,
                                  nearest, farthest);
    if (view == View::bird) {
        if (placed_for_ != Subject::none) left_yaw_ = yaw_before - (turning_.in_3d && last_pose_ ? last_pose_->yaw : 0);
        camera_.yaw = turns() && last_pose_ ? last_pose_->yaw : pi / 2;  // north is up
    } else if (left_yaw_) {
        camera_.yaw = *left_yaw_ + (turning_.in_3d && last_pose_ ? last_pose_->yaw : 0);
    } else if (host_) {
        camera_.yaw = host_->yaw;
    }
    placed_extent_.reset();
    // What keeps all things in view shows all in another view, too. Beside a host it stays as close to it as it was.
    if (placed_for_ != Subject::none && !is_moved_by_user_ && follows_ && !followed_ && !host_) place();
}

void CameraController::set_size(PixelSize size) noexcept
{
    if (size.width <= 0 || size.height <= 0 || size == size_) return;
    const bool is_first = size_ == PixelSize{};
    size_ = size;
    if (placed_for_ == Subject::none || is_moved_by_user_ || followed_) return;
    const bool frames_all = moving_ && follows_;
    if (is_first || frames_all || extent_ == placed_extent_) place_for_size();
}

void CameraController::update_extent(const Picture& picture)
{
    host_.reset();
    if (picture.host) {
        const Pose pose{to_vector(picture.host->centre) + picture.origin,
                        static_cast<double>(picture.host->rotation[2])};
        if (is_number(pose.place) && std::isfinite(pose.yaw)) host_ = pose;
    }
    if (host_) {
        moving_.reset();
        auto spots = spots_of_moving(picture);
        add_spot(spots, picture.host->key.source, picture.host->centre, picture.host->size);
        extent_ = extent_of(spots);
        extent_->least = extent_->least + picture.origin;
        extent_->most = extent_->most + picture.origin;
        road_users_.clear();
        for (const auto& spot : spots) road_users_.push_back(spot.centre + picture.origin);
        return;
    }
    heading_ = heading_of_moving(picture).value_or(pi / 2);
    auto spots = spots_of_moving(picture);
    const bool moves = !spots.empty();
    if (!moves) spots = spots_of_all(picture);
    if (spots.empty()) return;
    extent_ = extent_of(spots);
    extent_->least = extent_->least + picture.origin;
    extent_->most = extent_->most + picture.origin;
    if (moves) moving_ = extent_;
}

std::optional<CameraController::Pose> CameraController::pose_of_followed(const Picture& picture) const
{
    if (!followed_) return host_;
    const auto* thing = picture.find(*followed_);
    if (!thing) return std::nullopt;
    const Pose pose{to_vector(thing->centre) + picture.origin, static_cast<double>(thing->rotation[2])};
    return is_number(pose.place) && std::isfinite(pose.yaw) ? std::optional(pose) : std::nullopt;
}

void CameraController::move_along(const Pose& pose) noexcept
{
    auto offset = camera_.target - last_pose_->place;
    if (turns()) {
        const double turn = std::remainder(pose.yaw - last_pose_->yaw, 2 * pi);
        offset = turned(offset, turn);
        camera_.yaw += turn;
    }
    camera_.target = pose.place + offset;
}

void CameraController::centre_on(const Pose& pose) noexcept
{
    camera_.target = pose.place;
    if (turns()) camera_.yaw = pose.yaw;
}

/// Keeps pan and zoom of the user, relative to the extent of the moving things.
void CameraController::keep_in_frame(const Extent& before) noexcept
{
    camera_.target = camera_.target + (middle_of(*moving_) - middle_of(before));
    camera_.distance =
        std::clamp(camera_.distance * distance_for(corners_of(*moving_, middle_of(*moving_)), camera_, size_) /
                       distance_for(corners_of(before, middle_of(before)), camera_, size_),
                   nearest, farthest);
}

void CameraController::set_picture(const Picture& picture)
{
    const auto moving_before = moving_;
    update_extent(picture);
    const auto pose = pose_of_followed(picture);
    const bool frames_all = !followed_ && moving_.has_value();
    const bool is_first = placed_for_ == Subject::none, follows_subject = follows_ && !followed_;
    const bool places = !is_moved_by_user_ && (is_first || follows_subject) && subject() > placed_for_;
    if (places) {
        place();
        centres_ = centres_ && followed_;
        if (const auto awaited = std::exchange(awaited_, std::nullopt)) {
            if (pose) last_pose_ = pose;
            restore(*awaited);
        }
    }
    if (follows_ && (pose || frames_all)) {
        if (frames_all && centres_)
            frame_all();
        else if (frames_all && moving_before && !places)
            keep_in_frame(*moving_before);
        else if (pose && centres_)
            centre_on(*pose);
        else if (pose && last_pose_)
            move_along(*pose);
        centres_ = false;
    }
    if (pose) last_pose_ = pose;  // while the followed thing is absent, the camera waits at its last position
}

CameraController::Subject CameraController::subject() const noexcept
{
    return host_ ? Subject::host : moving_ ? Subject::moving_things : extent_ ? Subject::things : Subject::none;
}

/// Before the first picture there is no place to keep.
void CameraController::note_user_move() noexcept
{
    if (placed_for_ != Subject::none) is_moved_by_user_ = true;
}

void CameraController::expect_new_scene() noexcept
{
    is_moved_by_user_ = false;
    drop_picture();
}

void CameraController::drop_picture() noexcept
{
    if (is_moved_by_user_) return;
    left_yaw_.reset();
    placed_for_ = Subject::none;
    last_pose_.reset();
    host_.reset();
    extent_.reset();
    moving_.reset();
}

void CameraController::follow_anew(const std::optional<ThingKey>& thing)
{
    if (thing != followed_) last_pose_ = thing ? std::nullopt : host_;
    followed_ = thing;
}

void CameraController::follow(const std::optional<ThingKey>& thing)
{
    follows_ = centres_ = true;
    follow_anew(thing);
}

void CameraController::follow_nothing()
{
    follows_ = centres_ = false;
    follow_anew({});
}

void CameraController::set_turning(bool on)
{
    (camera_.view == View::bird ? turning_.from_above : turning_.in_3d) = on;
    if (on && follows_ && last_pose_) return centre_on(*last_pose_);
    if (!on && camera_.view == View::bird) camera_.yaw = pi / 2;
}

void CameraController::rotate(double dx, double dy) noexcept
{
    note_user_move();
    camera_.yaw = std::remainder(camera_.yaw - dx * radians_per_pixel, 2 * pi);
    if (camera_.view == View::orbit) camera_.pitch = std::clamp(camera_.pitch + dy * radians_per_pixel, -0.1, pi / 2);
}

void CameraController::pan(double from_x, double from_y, double to_x, double to_y) noexcept
{
    note_user_move();
    const ViewTransform view(camera_, camera_.target, size_);
    const auto from = view.on_level(from_x, from_y, 0), to = view.on_level(to_x, to_y, 0);
    const double most = 4 * camera_.distance;
    if (from && to && length(*from) < most && length(*to) < most) {
        camera_.target = camera_.target + (*from - *to);
        return;
    }
    // Near the horizon a pixel covers too much ground: move with the screen.
    const double metres = view.metres_per_pixel() * camera_.distance;
    const Vector ahead{std::cos(camera_.yaw), std::sin(camera_.yaw), 0};
    camera_.target = camera_.target - (metres * (to_x - from_x)) * view.right() + (metres * (to_y - from_y)) * ahead;
}

void CameraController::zoom(double x, double y, double steps) noexcept
{
    note_user_move();
    const double before = camera_.distance;
    const ViewTransform view(camera_, camera_.target, size_);
    const auto under = view.on_level(x, y, 0);
    camera_.distance = std::clamp(before * std::pow(0.85, steps), nearest, farthest);
    if (!under || length(*under) > 4 * before) return;
    camera_.target = camera_.target + (1 - camera_.distance / before) * *under;
}

void CameraController::walk(double ahead, double left) noexcept
{
    note_user_move();
    const Vector forward{std::cos(camera_.yaw), std::sin(camera_.yaw), 0},
        aside{-std::sin(camera_.yaw), std::cos(camera_.yaw), 0};
    camera_.target = camera_.target + camera_.distance * (ahead * forward + left * aside);
}

void CameraController::focus(const GlobalPoint& place, double metres) noexcept
{
    if (!is_number(place)) return;
    camera_.target = place;
    camera_.distance = std::clamp(3 * (std::isfinite(metres) ? metres : 1) + 4, nearest, farthest);
    is_moved_by_user_ = true;
}

void CameraController::focus(const GlobalPoint& place, double metres, const Picture& picture,
                             const std::optional<ThingKey>& of)
{
    constexpr double before_wall = 1, closest = 3;
    focus(place, metres);
    if (camera_.view != View::orbit || camera_.target != place) return;
    const auto target = place - picture.origin;
    const auto wanted = camera_;
    double best = 0;
    // From the same direction, from higher above, then from another side.
    for (const double turn : {0.0, pi / 4, -pi / 4, pi / 2, -pi / 2, 3 * pi / 4, -3 * pi / 4, pi}) {
        for (const double pitch : {wanted.pitch, 0.7, 1.0, 1.3}) {
            if (pitch < wanted.pitch) continue;
            auto camera = wanted;
            camera.yaw = std::remainder(wanted.yaw + turn, 2 * pi);
            camera.pitch = pitch;
            const auto free = free_part(picture, target, ViewTransform(camera, picture.origin, {}).eye() - target, of);
            if (free <= best) continue;
            best = free;
            camera_ = camera;
            if (best == 1) return;
        }
    }
    camera_.distance = std::clamp(best * wanted.distance - before_wall, closest, wanted.distance);
}

void CameraController::reset()
{
    if (followed_) follow_anew({});
    awaited_.reset();
    place();
}

void CameraController::place()
{
    placed_for_ = subject();
    is_moved_by_user_ = false;
    camera_.pitch = start_pitch;
    if (host_) {
        camera_.yaw = camera_.view == View::bird && !turns() ? pi / 2 : host_->yaw;
    } else if (extent_) {
        camera_.yaw = camera_.view == View::bird ? pi / 2 : heading_;
    }
    place_for_size();
}

/// In the direction of the camera.
void CameraController::place_for_size() noexcept
{
    placed_extent_ = extent_;
    if (host_) {
        camera_.target = host_->place;
        camera_.distance = start_distance * (camera_.view == View::bird ? bird_share : 1);
        if (shows_all_ && !are_visible(road_users_, camera_, size_)) frame_all();
    } else if (extent_) {
        frame_all();
    }
}

void CameraController::frame_all() noexcept
{
    camera_.target = middle_of(*extent_);
    auto places = corners_of(*extent_, camera_.target);
    if (host_) {
        places.clear();
        for (const auto& each : road_users_) places.push_back(each - camera_.target);
    }
    camera_.distance = distance_for(places, camera_, size_);
}

void CameraController::look_at_host()
{
    if (!host_) return;
    placed_extent_.reset();
    camera_.target = host_->place;
    camera_.distance = std::min(camera_.distance, start_distance * (camera_.view == View::bird ? bird_share : 1));
}

}  // namespace ositrace::gui
