// SPDX-License-Identifier: MPL-2.0
#include <ositrace/frame_error.hpp>
#include <ositrace/picture_maker.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/picture/moment_sources.hpp"
#include "lib/picture/sensors.hpp"

namespace ositrace {

using namespace picture;

struct PictureMaker::Implementation {
    GroundTruthPainter truths;
    SensorPainter sensors;
    std::vector<std::shared_ptr<const Schema>> schemas;  ///< of kept content, which refers to them

    void keep_schemas(const MomentSources& moment);
    void show_truths(MomentSources& moment, Picture& picture);
    void show_source(OpenSource& source, const MomentSources& moment, Picture& picture);
};

namespace {

OpenSource& source_of(MomentSources& moment, std::uint32_t place)
{
    return *std::ranges::find(moment.open, place, &OpenSource::place);
}

/// Is the same ground truth shown already? The SensorData of a sensor contains the SensorView that it was computed
/// from.
bool is_shown(const MomentSources& moment, const GroundTruth& truth)
{
    for (const auto& before : moment.truths) {
        if (&before == &truth) return false;
        if (before.from->shown && !before.from->is_past && is_same_truth(before, truth)) return true;
    }
    return false;
}

std::size_t bytes_of(std::span<const PictureSource> sources) noexcept
{
    std::size_t bytes = 0;
    for (const auto& source : sources)
        for (const auto* const frame : {source.frame, source.statics})
            bytes += frame == nullptr ? 0 : frame->bytes.size();
    return bytes;
}

void find_host_thing(Picture& picture)
{
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (!picture.host && thing.key.category == Category::host) picture.host = thing;
    if (picture.host)
        picture.axes.push_back({picture.host->key.source, "host", picture.host->centre, picture.host->rotation});
}

}  // namespace

/// Rows of a schema are keys of what is kept between pictures, so the schema must live as long.
void PictureMaker::Implementation::keep_schemas(const MomentSources& moment)
{
    constexpr std::size_t most = 16;
    for (const auto& source : moment.open) {
        const auto& schema = source.source->channel->schema;
        if (!schema || std::ranges::find(schemas, schema) != schemas.end()) continue;
        if (schemas.size() == most) {
            truths = {};
            sensors = {};
            schemas.clear();
        }
        schemas.push_back(schema);
    }
}

void PictureMaker::Implementation::show_truths(MomentSources& moment, Picture& picture)
{
    for (const auto& truth : moment.truths) {
        if (!truth.from->shown) continue;
        auto& notes = source_of(moment, truth.source).notes;
        try {
            if (is_shown(moment, truth)) {
                if (*truth.from->channel->type == MessageType::ground_truth)
                    notes.say(PictureNote::Kind::information,
                              std::string("the same time and ") + (truth.host ? "host" : "moving objects") +
                                  " as another ground truth: its objects are not shown again");
                continue;
            }
            truths.show(truth, picture.origin, notes, picture);
        } catch (const Error& error) {
            notes.broken(error);
        }
    }
}

void PictureMaker::Implementation::show_source(OpenSource& source, const MomentSources& moment, Picture& picture)
{
    if (!source.root || !source.source->shown || source.source->is_past) return;
    const SensorPainter::Shown shown{source, moment, picture, truths.lines()};
    try {
        const auto type = *source.source->channel->type;
        const bool is_scene =
            type == MessageType::ground_truth || type == MessageType::sensor_view || type == MessageType::sensor_data;
        if (is_scene && source.source->frame->bytes.empty())
            source.notes.say(PictureNote::Kind::left_out, "this message is empty");
        switch (type) {
        case MessageType::ground_truth: return;
        case MessageType::sensor_view: return sensors.show_sensor_view(shown);
        case MessageType::sensor_data: return sensors.show_sensor_data(shown);
        case MessageType::sensor_view_configuration: return sensors.show_configuration(shown);
        default: return show_other_message(source, picture);
        }
    } catch (const Error& error) {
        source.notes.broken(within_frame(error, *source.source->frame, {}));
    }
}

PictureMaker::PictureMaker() : implementation_(std::make_unique<Implementation>()) {}
PictureMaker::PictureMaker(PictureMaker&&) noexcept = default;
PictureMaker& PictureMaker::operator=(PictureMaker&&) noexcept = default;
PictureMaker::~PictureMaker() = default;

std::shared_ptr<const Picture> PictureMaker::make(std::span<const PictureSource> sources)
{
    auto& state = *implementation_;
    auto picture = std::make_shared<Picture>();
    MomentSources moment(sources);
    state.keep_schemas(moment);
    picture->origin = moment.origin;
    picture->time = moment.time;
    state.truths.begin_picture(bytes_of(sources));
    state.show_truths(moment, *picture);
    for (auto& source : moment.open) state.show_source(source, moment, *picture);
    state.truths.end_picture();
    find_host_thing(*picture);
    for (const auto& source : moment.open)
        if (source.source->shown) source.notes.append_to(picture->notes, source.place);
    return picture;
}

}  // namespace ositrace
