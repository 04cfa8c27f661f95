// SPDX-License-Identifier: MPL-2.0
#include "gui/window/layout.hpp"

#include <algorithm>
#include <cmath>

#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMainWindow>

#include <ositrace/picture.hpp>

#include "gui/text/save_file.hpp"
#include "gui/widgets/dock_panel.hpp"

namespace ositrace::gui {

namespace {

constexpr qint64 max_file_bytes = 4 << 20;  // 1000 bookmarks with long notes fit
constexpr auto name_of_format = "osiview layout";

QJsonArray json_of(const GlobalPoint& place) { return {place[0], place[1], place[2]}; }

QJsonObject json_of(const PlacedCamera& camera)
{
    QJsonObject object{
        {QStringLiteral("view"), camera.view == View::bird ? QStringLiteral("bird") : QStringLiteral("3d")},
        {QStringLiteral("distance"), camera.distance},
        {QStringLiteral("yaw"), camera.yaw},
        {QStringLiteral("pitch"), camera.pitch}};
    if (camera.has_target) object.insert(QStringLiteral("target"), json_of(camera.target));
    if (!camera.beside) return object;
    QJsonObject beside{{QStringLiteral("place"), json_of(camera.beside->place)}};
    if (camera.beside->heading) beside.insert(QStringLiteral("heading"), *camera.beside->heading);
    object.insert(QStringLiteral("beside"), beside);
    return object;
}

std::optional<GlobalPoint> place_in(const QJsonObject& object, const char* key)
{
    constexpr double farthest = 1e9;
    const auto numbers = object.value(QLatin1String(key)).toArray();
    GlobalPoint place{};
    for (std::size_t i = 0; i != place.size(); ++i) {
        const auto number = numbers.at(static_cast<qsizetype>(i));
        if (!number.isDouble() || !(std::abs(number.toDouble()) <= farthest)) return std::nullopt;
        place[i] = number.toDouble();
    }
    return place;
}

double number(const QJsonObject& object, const char* key, double least, double most, double otherwise)
{
    const auto value = object.value(QLatin1String(key)).toDouble(otherwise);
    return std::isfinite(value) ? std::clamp(value, least, most) : otherwise;
}

PlacedCamera camera_of(const QJsonObject& object)
{
    PlacedCamera camera;
    camera.view = object.value(QStringLiteral("view")).toString() == QLatin1String("bird") ? View::bird : View::orbit;
    camera.distance = number(object, "distance", 0.5, 20000, camera.distance);
    camera.yaw = number(object, "yaw", -10, 10, camera.yaw);
    camera.pitch = number(object, "pitch", -1.57, 1.57, camera.pitch);
    if (const auto target = place_in(object, "target")) {
        camera.has_target = true;
        camera.target = *target;
    }
    const auto beside = object.value(QStringLiteral("beside")).toObject();
    if (const auto place = place_in(beside, "place")) {
        camera.beside = {.place = *place, .heading = {}};
        if (beside.value(QStringLiteral("heading")).isDouble())
            camera.beside->heading = number(beside, "heading", -1e4, 1e4, 0);
    }
    return camera;
}

QByteArray bytes_of(const QJsonObject& object, const char* key)
{
    return QByteArray::fromBase64(object.value(QLatin1String(key)).toString().toLatin1());
}

QString text_of(const QByteArray& bytes) { return QString::fromLatin1(bytes.toBase64()); }

void insert_view(const ViewLayout& view, QJsonObject& object)
{
    QJsonArray hidden;
    for (const int each : view.hidden) hidden.append(each);
    object.insert(QStringLiteral("labels"), view.labels);
    object.insert(QStringLiteral("legend"), view.legend);
    object.insert(QStringLiteral("grid"), view.grid);
    object.insert(QStringLiteral("axes"), view.axes);
    object.insert(QStringLiteral("driving_directions"), view.directions);
    object.insert(QStringLiteral("hidden"), hidden);
    object.insert(QStringLiteral("hidden_lane_types"), QJsonArray::fromStringList(view.hidden_lane_types));
    object.insert(QStringLiteral("hidden_channels"), QJsonArray::fromStringList(view.hidden_channels));
    object.insert(QStringLiteral("cloud_field"), QString::fromStdString(view.cloud_field));
    object.insert(QStringLiteral("point_size"), view.point_size);
    object.insert(QStringLiteral("follows"), view.follows);
    object.insert(QStringLiteral("turns_along"), view.turning.in_3d);
    object.insert(QStringLiteral("turns_from_above"), view.turning.from_above);
    if (view.camera) object.insert(QStringLiteral("camera"), json_of(*view.camera));
}

void read_view(const QJsonObject& object, ViewLayout& view)
{
    view.labels = object.value(QStringLiteral("labels")).toBool(true);
    view.legend = object.value(QStringLiteral("legend")).toBool(true);
    view.grid = object.value(QStringLiteral("grid")).toBool(true);
    view.axes = object.value(QStringLiteral("axes")).toBool(false);
    view.directions = object.value(QStringLiteral("driving_directions")).toBool(false);
    view.cloud_field = object.value(QStringLiteral("cloud_field")).toString().toStdString();
    view.point_size = number(object, "point_size", 1, 20, view.point_size);
    view.follows = object.value(QStringLiteral("follows")).toBool(true);
    view.turning.in_3d = object.value(QStringLiteral("turns_along")).toBool(true);
    view.turning.from_above = object.value(QStringLiteral("turns_from_above")).toBool(false);
    for (const auto& each : object.value(QStringLiteral("hidden")).toArray()) {
        const int category = each.toInt(-1);
        if (category >= 0 && category < static_cast<int>(category_count)) view.hidden.push_back(category);
    }
    view.hidden_lane_types = texts_of(object, "hidden_lane_types");
    view.hidden_channels = texts_of(object, "hidden_channels");
    if (object.value(QStringLiteral("camera")).isObject())
        view.camera = camera_of(object.value(QStringLiteral("camera")).toObject());
}

}  // namespace

QJsonObject to_json(const Layout& layout)
{
    auto object = layout.shown;
    insert_view(layout, object);
    object.insert(QStringLiteral("format"), QLatin1String(name_of_format));
    object.insert(QStringLiteral("version"), 1);
    object.insert(QStringLiteral("window"), text_of(layout.geometry));
    object.insert(QStringLiteral("panels"), text_of(layout.state));
    object.insert(QStringLiteral("arrows_by_message"), layout.arrows_by_message);
    object.insert(QStringLiteral("motion_between_messages"), layout.interpolates);
    object.insert(QStringLiteral("trail"), layout.trail);
    if (layout.theme)
        object.insert(QStringLiteral("theme"),
                      *layout.theme == Theme::light ? QStringLiteral("light") : QStringLiteral("dark"));
    if (layout.second) {
        QJsonObject second;
        insert_view(*layout.second, second);
        object.insert(QStringLiteral("second_view"), second);
        object.insert(QStringLiteral("first_share"), layout.first_share);
    }
    return object;
}

std::optional<Layout> layout_of(const QByteArray& json, QString& why)
{
    QJsonParseError error{};
    const auto object = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError) {
        why = QStringLiteral("is not JSON: ") + error.errorString();
        return std::nullopt;
    }
    if (object.value(QStringLiteral("format")).toString() != QLatin1String(name_of_format)) {
        why = QStringLiteral("is not a layout of osiview: its \"format\" is not \"%1\"")
                  .arg(QLatin1String(name_of_format));
        return std::nullopt;
    }
    Layout layout;
    layout.geometry = bytes_of(object, "window");
    layout.state = bytes_of(object, "panels");
    layout.arrows_by_message = object.value(QStringLiteral("arrows_by_message")).toBool(true);
    layout.interpolates = object.value(QStringLiteral("motion_between_messages")).toBool(false);
    layout.shown = object;
    const auto theme = object.value(QStringLiteral("theme")).toString();
    if (!theme.isEmpty()) layout.theme = theme == QLatin1String("light") ? Theme::light : Theme::dark;
    layout.trail = number(object, "trail", 0, 600, layout.trail);
    read_view(object, layout);
    if (object.value(QStringLiteral("second_view")).isObject())
        read_view(object.value(QStringLiteral("second_view")).toObject(), layout.second.emplace());
    layout.first_share = number(object, "first_share", 0.1, 0.9, layout.first_share);
    return layout;
}

QString lane_type_name(Look type)
{
    const auto name = name_of(type);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

void apply_layout(const ViewLayout& layout, RenderOptions& options)
{
    options.hidden.reset();
    for (const int each : layout.hidden) options.hidden.set(static_cast<std::size_t>(each));
    options.hidden_lane_types.clear();
    for (auto look = Look::lane_driving; look <= Look::lane_host; look = static_cast<Look>(static_cast<int>(look) + 1))
        if (layout.hidden_lane_types.contains(lane_type_name(look))) options.hidden_lane_types.push_back(look);
    options.grid = layout.grid;
    options.axes = layout.axes;
    options.directions = layout.directions;
    options.cloud_field = layout.cloud_field;
    options.point_size = static_cast<float>(layout.point_size);
}

QString write_layout(const QString& file, const Layout& layout)
{
    return save_file(file, QJsonDocument(to_json(layout)).toJson());
}

std::optional<Layout> read_layout(const QString& file, QString& why)
{
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly)) {
        why = QStringLiteral("%1: %2").arg(file, in.errorString());
        return std::nullopt;
    }
    auto layout = layout_of(in.read(max_file_bytes), why);
    if (!layout) why = QStringLiteral("%1 %2").arg(file, why);
    return layout;
}

namespace {

constexpr auto settles_in = std::chrono::milliseconds(400);
constexpr std::size_t max_states = 50;

}  // namespace

LayoutHistory::LayoutHistory(QMainWindow& window, DockPanel& panel) : QObject(&window), window_(window), panel_(panel)
{
    settled_.setSingleShot(true);
    settled_.setInterval(settles_in);
    connect(&settled_, &QTimer::timeout, this, &LayoutHistory::note);
    for (auto* const dock : window.findChildren<QDockWidget*>()) {
        connect(dock, &QDockWidget::visibilityChanged, &settled_, qOverload<>(&QTimer::start));
        connect(dock, &QDockWidget::dockLocationChanged, &settled_, qOverload<>(&QTimer::start));
        connect(dock, &QDockWidget::topLevelChanged, &settled_, qOverload<>(&QTimer::start));
    }
}

LayoutHistory::State LayoutHistory::state_now() const
{
    State state{window_.saveState(), {}};
    panel_.save(state.shown);
    return state;
}

void LayoutHistory::note()
{
    auto state = state_now();
    if (!states_.empty() && states_[now_] == state) return;
    states_.resize(states_.empty() ? 0 : now_ + 1);
    states_.push_back(std::move(state));
    if (states_.size() > max_states) states_.erase(states_.begin());
    now_ = states_.size() - 1;
}

void LayoutHistory::go(int direction)
{
    if (settled_.isActive()) {
        settled_.stop();
        note();
    }
    if (direction < 0 ? now_ == 0 : now_ + 1 >= states_.size()) return;
    now_ = direction < 0 ? now_ - 1 : now_ + 1;
    window_.restoreState(states_[now_].panels);
    panel_.restore(states_[now_].shown);
    settled_.stop();
    states_[now_] = state_now();  // Qt may write the same arrangement differently: that must not count as a change
}

}  // namespace ositrace::gui
