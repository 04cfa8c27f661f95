// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "gui/render/options.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t sampled_values = 4096;  // of a field: enough to find the outer percent

void sample(const std::vector<float>& values, std::vector<float>& out)
{
    const auto step = std::max<std::size_t>(values.size() / sampled_values, 1);
    for (std::size_t i = 0; i < values.size(); i += step) {
        if (std::isfinite(values[i])) out.push_back(values[i]);
    }
}

std::pair<float, float> spread_of(std::vector<float>& values)
{
    if (values.empty()) return {0, 1};
    std::sort(values.begin(), values.end());
    const auto cut = values.size() / 100;
    const float from = values[cut], to = values[values.size() - 1 - cut];
    return from < to ? std::pair{from, to} : std::pair{values.front(), values.back()};
}

const CloudField* named(const Cloud& cloud, const std::string& name) noexcept
{
    for (const auto& field : cloud.fields) {
        if (field.name == name && field.values.size() == cloud.points.size()) return &field;
    }
    return nullptr;
}

/// The first field that varies, in the cloud with the most points.
std::string varying_field(const Picture& picture, const RenderOptions& options)
{
    std::size_t most = 0;
    std::string name;
    for (const auto& cloud : picture.clouds) {
        if (!options.shows(cloud->key) || cloud->points.size() <= most) continue;
        const auto field = std::find_if(cloud->fields.begin(), cloud->fields.end(),
                                        [](const CloudField& each) { return each.smallest < each.largest; });
        if (field == cloud->fields.end()) continue;
        most = cloud->points.size();
        name = field->name;
    }
    return name;
}

}  // namespace

std::optional<CloudColouring> colouring_of(const Picture& picture, const RenderOptions& options)
{
    CloudColouring colouring{.field =
                                 options.cloud_field.empty() ? varying_field(picture, options) : options.cloud_field};
    std::vector<float> values;
    bool found = false;
    for (const auto& cloud : picture.clouds) {
        const auto* field = options.shows(cloud->key) ? named(*cloud, colouring.field) : nullptr;
        if (!field) continue;
        found = true;
        colouring.unit = field->unit;
        if (!options.range) sample(field->values, values);
    }
    if (!found) return std::nullopt;
    std::tie(colouring.from, colouring.to) = options.range ? *options.range : spread_of(values);
    return colouring;
}

std::string why_not_coloured(const Picture& picture, const std::string& field)
{
    if (field.empty() || picture.clouds.empty()) return {};
    std::set<std::string> names;
    for (const auto& cloud : picture.clouds)
        for (const auto& each : cloud->fields) names.insert(each.name);
    if (names.contains(field)) return {};
    std::string known;
    for (const auto& name : names) known += (known.empty() ? "" : ", ") + name;
    return "no cloud has a field '" + field + "' (known: " + known + ')';
}

const CloudField* field_of(const Cloud& cloud, const std::optional<CloudColouring>& colouring) noexcept
{
    return colouring ? named(cloud, colouring->field) : nullptr;
}

}  // namespace ositrace::gui
