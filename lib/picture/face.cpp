// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/face.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "lib/picture/placement.hpp"

namespace ositrace::picture {

namespace {

constexpr int rim_corners = 24;

std::vector<Corner> rim_of(double radius, Corner centre, int corners, double first_angle = 0)
{
    std::vector<Corner> rim;
    for (int i = 0; i < corners; ++i) {
        const double angle = first_angle + 2 * std::numbers::pi * i / corners;
        rim.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
    return rim;
}

Vector vector_from(const std::array<float, 3>& v) noexcept
{
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

Orientation orientation_from(const std::array<float, 3>& v) noexcept
{
    const auto angles = vector_from(v);
    return {angles.x, angles.y, angles.z};
}

/// The strokes of a character, as places from `00` at the bottom left to `24` at the top right; `|` lifts the pen.
std::string_view strokes_of_character(char c) noexcept
{
    switch (c) {
    case '0':
    case 'O': return "0020240400";
    case '1': return "031410";
    case '2': return "042422020020";
    case '3': return "04242000|2202";
    case '4': return "040222|2420";
    case '5':
    case 'S': return "240402222000";
    case '6': return "240400202202";
    case '7': return "042410";
    case '8': return "0020240400|0222";
    case '9': return "220204242000";
    case 'H': return "0004|2024|0222";
    case 'P': return "0004242202";
    case 'T': return "0424|1410";
    case '.': return "1010";
    default: return {};
    }
}

constexpr double character_width = 2, character_height = 4, advance = 3.2, pen = 0.75;  // in the unit of the strokes

}  // namespace

Face::Face(LayerBuilder& to)
    : to_(to), centre_(vector_from(to.thing().centre)), rotation_(orientation_from(to.thing().rotation))
{
    const auto size = vector_from(to.thing().size);
    unit_ = std::min(size.y, size.z) / 2;
    front_ = size.x / 2;
    raise();
}

void Face::raise() noexcept
{
    constexpr double lift = 0.004;  // m
    front_ += lift;
}

bool Face::has_room(const Thing& thing) noexcept
{
    return thing.has_size && thing.size[0] <= thing.size[1] && thing.size[0] <= thing.size[2];
}

Point Face::place(double right, double up, double ahead) const noexcept
{
    return to_point(centre_ + rotation_.to_parent({ahead, right * unit_, up * unit_}));
}

void Face::polygon(Look look, std::span<const Corner> corners, float strength)
{
    if (corners.size() < 3 || !to_.has_room(corners.size())) return;
    std::vector<Point> strip;  // zigzag
    for (std::size_t i = 0, k = corners.size(); i < k; ++i) {
        strip.push_back(place(corners[i].x, corners[i].y, front_));
        if (i < --k) strip.push_back(place(corners[k].x, corners[k].y, front_));
    }
    to_.strip(look, strip, false, strength);
}

void Face::disc(Look look, double radius, float strength, Corner centre)
{
    polygon(look, rim_of(radius, centre, rim_corners), strength);
}

void Face::stroke(Look look, Corner from, Corner to, double width, float strength)
{
    const double x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
    const double along_x = length > 0 ? x / length * width / 2 : width / 2,
                 along_y = length > 0 ? y / length * width / 2 : 0;
    const std::array corners{Corner{from.x - along_x - along_y, from.y - along_y + along_x},
                             Corner{from.x - along_x + along_y, from.y - along_y - along_x},
                             Corner{to.x + along_x + along_y, to.y + along_y - along_x},
                             Corner{to.x + along_x - along_y, to.y + along_y + along_x}};
    polygon(look, corners, strength);
}

void Face::arrow(Look look, double angle, double size, Corner centre, float strength)
{
    const double cosine = size * std::cos(angle), sine = size * std::sin(angle);
    const auto turned = [&](double x, double y) {
        return Corner{centre.x + x * cosine - y * sine, centre.y + x * sine + y * cosine};
    };
    polygon(look, std::array{turned(-0.55, 0.15), turned(0.55, 0.15), turned(0, 0.9)}, strength);
    polygon(look, std::array{turned(-0.17, -0.85), turned(0.17, -0.85), turned(0.17, 0.2), turned(-0.17, 0.2)},
            strength);
}

void Face::text(Look look, std::string_view characters, double height, double most_width, float strength)
{
    const double columns = advance * static_cast<double>(characters.size()) - (advance - character_width);
    const double unit = std::min(height / character_height, most_width / columns);
    double left = -columns * unit / 2;
    for (const char c : characters) {
        std::optional<Corner> from;
        const auto strokes = strokes_of_character(c);
        for (std::size_t i = 0; i + 1 < strokes.size();) {
            if (strokes[i] == '|') {
                from.reset();
                ++i;
                continue;
            }
            const Corner to{left + unit * (strokes[i] - '0'), unit * (strokes[i + 1] - '0' - character_height / 2)};
            if (from) stroke(look, *from, to, pen * unit, strength);
            from = to;
            i += 2;
        }
        left += advance * unit;
    }
}

void Face::add_glow(Look look, float strength, std::span<const Point> rim)
{
    std::vector<Point> strip;
    const auto middle = place(0, 0, front_);
    for (const auto& point : rim) {
        strip.push_back(middle);
        strip.push_back(point);
    }
    strip.push_back(middle);
    strip.push_back(rim.front());
    if (to_.has_room(strip.size())) to_.strip(look, strip, true, strength);
}

void Face::glow(Look look, double radius, float strength)
{
    std::vector<Point> upright, level;
    for (const auto& [x, y] : rim_of(radius, {}, rim_corners)) {
        upright.push_back(place(x, y, front_));
        level.push_back(place(x, 0, front_ + y * unit_));
    }
    add_glow(look, strength, upright);
    add_glow(look, strength, level);
}

namespace {

enum class Board : std::uint8_t {
    prohibition,
    mandatory,
    warning,
    give_way,
    stop,
    no_entry,
    priority,
    end,
    no_stopping,
    information,
    zone,
    town,
};

enum class Symbol : std::uint8_t {
    none,
    value,
    exclamation,
    arrow,
    two_arrows,
    cross,
    slash,
    overtaking,
    lights,
    parking,
    pedestrian,
    narrowing,
};

struct SignRow {
    std::int64_t type;  ///< MainSign.Classification.Type of OSI 3.8.0
    Board board;
    Symbol symbol = Symbol::none;
    double degrees = 0;  ///< of an arrow, from up to the left
};

constexpr SignRow sign_rows[] = {
    {2, Board::warning, Symbol::exclamation},
    {3, Board::warning, Symbol::cross},
    {4, Board::warning, Symbol::arrow, 50},
    {5, Board::warning, Symbol::arrow, -50},
    {6, Board::warning, Symbol::arrow, 50},
    {7, Board::warning, Symbol::arrow, -50},
    {8, Board::warning},
    {9, Board::warning},
    {10, Board::warning, Symbol::narrowing},
    {11, Board::warning, Symbol::narrowing},
    {12, Board::warning, Symbol::narrowing},
    {13, Board::warning},
    {14, Board::warning, Symbol::two_arrows},
    {15, Board::warning, Symbol::lights},
    {16, Board::give_way},
    {17, Board::stop},
    {18, Board::prohibition, Symbol::two_arrows},
    {19, Board::prohibition, Symbol::two_arrows},
    {20, Board::mandatory, Symbol::arrow, 90},
    {21, Board::mandatory, Symbol::arrow, -90},
    {22, Board::mandatory, Symbol::arrow, 0},
    {23, Board::mandatory, Symbol::arrow, 90},
    {24, Board::mandatory, Symbol::arrow, -90},
    {30, Board::information, Symbol::arrow, 90},
    {31, Board::information, Symbol::arrow, -90},
    {32, Board::mandatory, Symbol::arrow, 135},
    {33, Board::mandatory, Symbol::arrow, -135},
    {37, Board::prohibition},
    {38, Board::prohibition},
    {39, Board::prohibition},
    {40, Board::prohibition},
    {41, Board::prohibition},
    {42, Board::prohibition, Symbol::pedestrian},
    {43, Board::prohibition},
    {44, Board::no_entry},
    {52, Board::prohibition, Symbol::value},
    {53, Board::zone, Symbol::value},
    {55, Board::mandatory, Symbol::value},
    {56, Board::prohibition, Symbol::overtaking},
    {57, Board::prohibition, Symbol::overtaking},
    {58, Board::end, Symbol::value},
    {60, Board::end, Symbol::overtaking},
    {61, Board::end, Symbol::overtaking},
    {62, Board::end},
    {63, Board::no_stopping, Symbol::cross},
    {64, Board::no_stopping, Symbol::slash},
    {67, Board::warning, Symbol::arrow, 0},
    {68, Board::priority},
    {69, Board::priority, Symbol::slash},
    {70, Board::information, Symbol::two_arrows},
    {71, Board::information, Symbol::two_arrows},
    {72, Board::town},
    {73, Board::town, Symbol::slash},
    {74, Board::information, Symbol::parking},
    {75, Board::information, Symbol::parking},
    {87, Board::warning, Symbol::pedestrian},
    {93, Board::warning},
    {94, Board::warning},
    {95, Board::warning},
    {96, Board::warning},
    {97, Board::warning},
    {98, Board::warning},
    {100, Board::warning},
    {103, Board::warning, Symbol::pedestrian},
    {106, Board::warning, Symbol::pedestrian},
    {107, Board::warning},
    {109, Board::warning},
    {144, Board::warning},
    {147, Board::mandatory, Symbol::pedestrian},
    {155, Board::prohibition},
    {159, Board::prohibition},
    {160, Board::prohibition},
    {165, Board::prohibition, Symbol::value},
    {166, Board::prohibition, Symbol::value},
    {167, Board::prohibition, Symbol::value},
    {168, Board::prohibition, Symbol::value},
    {169, Board::prohibition, Symbol::value},
    {214, Board::information, Symbol::value},
};

using Corners = std::vector<Corner>;

Corners rectangle(double half_width, double half_height)
{
    return {
        {-half_width, -half_height}, {half_width, -half_height}, {half_width, half_height}, {-half_width, half_height}};
}

Corners scaled(Corners outline, double by, Corner about = {})
{
    for (auto& corner : outline) corner = {about.x + by * (corner.x - about.x), about.y + by * (corner.y - about.y)};
    return outline;
}

struct BoardStyle {
    Corners outline;
    Look rim, inside;
    double inside_scale;
    Look symbol;
    Corner middle{};  ///< of the outline
    double symbol_size = 0.6;
    double mount = 0.6;  ///< size of the box behind it, which must not be visible from the front
};

BoardStyle style_of(Board board)
{
    const auto circle = rim_of(1, {}, rim_corners);
    const Corners upwards{{-1, -0.87}, {1, -0.87}, {0, 0.87}}, downwards{{-1, 0.87}, {0, -0.87}, {1, 0.87}};
    constexpr double octagon_turn = std::numbers::pi / 8, triangle_middle = 0.29, in_triangle = 0.4,
                     behind_triangle = 0.25;
    switch (board) {
    case Board::prohibition: return {circle, Look::sign_red, Look::sign, 0.78, Look::sign_black};
    case Board::mandatory: return {circle, Look::sign, Look::sign_blue, 0.94, Look::sign, {}, 0.75};
    case Board::warning:
        return {upwards,          Look::sign_red,        Look::sign,  0.68,
                Look::sign_black, {0, -triangle_middle}, in_triangle, behind_triangle};
    case Board::give_way:
        return {downwards,        Look::sign_red,       Look::sign,  0.6,
                Look::sign_black, {0, triangle_middle}, in_triangle, behind_triangle};
    case Board::stop: return {rim_of(1.06, {}, 8, octagon_turn), Look::sign, Look::sign_red, 0.94, Look::sign};
    case Board::no_entry: return {circle, Look::sign, Look::sign_red, 0.95, Look::sign};
    case Board::priority:
        return {rim_of(1, {}, 4), Look::sign, Look::sign_yellow, 0.68, Look::sign_black, {}, 0.6, 0.45};
    case Board::end: return {circle, Look::sign_black, Look::sign, 0.95, Look::sign_grey};
    case Board::no_stopping: return {circle, Look::sign_red, Look::sign_blue, 0.8, Look::sign_red};
    case Board::information: return {rectangle(1, 1), Look::sign, Look::sign_blue, 0.94, Look::sign, {}, 0.7, 0.9};
    case Board::zone: return {rectangle(1, 1), Look::sign_black, Look::sign, 0.97, Look::sign_black, {}, 0.5, 0.9};
    case Board::town: return {rectangle(1, 0.66), Look::sign_black, Look::sign_yellow, 0.95, Look::sign_red};
    }
    return {};
}

void add_symbol(Face& face, const SignRow& row, const BoardStyle& style, std::string_view value)
{
    const double size = style.symbol_size;
    const auto look = style.symbol;
    const auto at = [&](double x, double y) { return Corner{style.middle.x + size * x, style.middle.y + size * y}; };
    switch (row.symbol) {
    case Symbol::none: return;
    case Symbol::value: return face.text(look, value, 1.3 * size, 2 * size);
    case Symbol::exclamation:
        face.stroke(look, at(0, -0.3), at(0, 1), 0.4 * size);
        return face.disc(look, 0.22 * size, 1, at(0, -0.85));
    case Symbol::arrow: return face.arrow(look, row.degrees * std::numbers::pi / 180, size, style.middle);
    case Symbol::two_arrows:
        face.arrow(look, 0, 0.8 * size, at(0.45, 0));
        return face.arrow(look, std::numbers::pi, 0.8 * size, at(-0.45, 0));
    case Symbol::cross:
        face.stroke(look, at(-0.9, 0.9), at(0.9, -0.9), 0.3 * size);
        return face.stroke(look, at(-0.9, -0.9), at(0.9, 0.9), 0.3 * size);
    case Symbol::slash: return face.stroke(look, at(-0.9, 0.9), at(0.9, -0.9), 0.3 * size);
    case Symbol::overtaking:
        face.stroke(Look::sign_red, at(-0.5, -0.3), at(-0.5, 0.3), 0.7 * size);
        return face.stroke(Look::sign_black, at(0.5, -0.3), at(0.5, 0.3), 0.7 * size);
    case Symbol::lights:
        face.disc(Look::light_red, 0.3 * size, 1, at(0, 0.7));
        face.disc(Look::light_yellow, 0.3 * size, 1, at(0, 0));
        return face.disc(Look::light_green, 0.3 * size, 1, at(0, -0.7));
    case Symbol::parking: return face.text(look, "P", 2 * size, 2 * size);
    case Symbol::pedestrian:
        face.disc(look, 0.25 * size, 1, at(0, 0.9));
        face.stroke(look, at(0, 0.5), at(0, -0.2), 0.35 * size);
        face.stroke(look, at(0, -0.2), at(-0.4, -1), 0.25 * size);
        return face.stroke(look, at(0, -0.2), at(0.4, -1), 0.25 * size);
    case Symbol::narrowing:
        face.stroke(look, at(-0.6, -1), at(-0.2, 0.8), 0.25 * size);
        return face.stroke(look, at(0.6, -1), at(0.2, 0.8), 0.25 * size);
    }
}

/// Parts that are the same on every sign of its board.
void add_details(Face& face, Board board)
{
    switch (board) {
    case Board::stop: return face.text(Look::sign, "STOP", 0.7, 1.5);
    case Board::no_entry: return face.stroke(Look::sign, {-0.5, 0}, {0.5, 0}, 0.32);
    case Board::end: return face.stroke(Look::sign_black, {-0.62, -0.62}, {0.62, 0.62}, 0.14);
    case Board::zone:
        face.disc(Look::sign_red, 0.8);
        face.raise();
        return face.disc(Look::sign, 0.62);
    default: return;
    }
}

}  // namespace

bool add_pictogram(LayerBuilder& to, std::int64_t type, std::string_view value)
{
    const auto* const row = std::ranges::find(sign_rows, type, &SignRow::type);
    if (row == std::end(sign_rows) || !Face::has_room(to.thing())) return false;
    const auto style = style_of(row->board);
    const auto& thing = to.thing();
    const float side = std::min(thing.size[1], thing.size[2]) * static_cast<float>(style.mount);
    to.box(Look::sign_back, thing.centre, {thing.size[0], side, side}, thing.rotation);
    Face face(to);
    face.polygon(Look::sign_back, style.outline);  // seen from behind
    face.raise();
    face.polygon(style.rim, style.outline);
    face.raise();
    face.polygon(style.inside, scaled(style.outline, style.inside_scale, style.middle));
    face.raise();
    add_details(face, row->board);
    face.raise();
    add_symbol(face, *row, style, value);
    return true;
}

}  // namespace ositrace::picture
