// SPDX-License-Identifier: MPL-2.0
#include <ositrace/dummy_source.hpp>

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/transcoder.hpp>

#include "lib/model/dummy_form.hpp"
#include "lib/model/dummy_source_rules.hpp"
#include "lib/scene/osi_writer.hpp"

namespace ositrace {

namespace dummy {

namespace {

constexpr std::size_t object_bytes = 280;  // a good guess

/// Writes the wire.
class WireSource final : public SourceForm {
public:
    explicit WireSource(DummySourceOptions options)
        : options_(std::move(options)), lidar_(options_), schema_(Schema::built_in()), root_(schema_->root(MessageType::sensor_view)),
          objects_(options_.moving_objects), writer_(body_, root_)
    {
        if (format() != Format{}) to_flat_.emplace(root_, Format{}, format());
        make_reflection();
    }

    Format format() const noexcept override { return {options_.encoding, Layout::numbered}; }
    void generate(Nanoseconds now) override
    {
        now_ = now;
        for (std::uint32_t i = 0; i != options_.moving_objects; ++i) objects_[i] = source_object(i, now);
    }
    void serialize(ByteBuffer& out) override
    {
        write();
        if (to_flat_) to_flat_->transcode(body_.bytes(), out);
        else std::swap(body_, out);
    }

private:
    void make_reflection();
    void write();
    void write_ground_truth();
    void write_object(const SourceObject& object);
    void write_classification(const SourceObject& object);
    void write_lidar();

    DummySourceOptions options_;
    SourceLidar lidar_;
    std::shared_ptr<const Schema> schema_;
    const MessageTable& root_;
    Nanoseconds now_{};
    std::vector<SourceObject> objects_;
    ByteBuffer body_;
    scene::OsiWriter writer_;
    std::optional<Transcoder> to_flat_;
    std::vector<std::byte> reflection_;            ///< an encoded one
    std::vector<std::size_t> reflection_places_;  ///< of its doubles
};

void WireSource::make_reflection()
{
    ByteBuffer bytes;
    scene::OsiWriter out(bytes, *FieldTag(root_, "lidar_sensor_view").row().child);
    const auto real = [&](scene::FieldName name) {
        out.real(name, 0);
        reflection_places_.push_back(bytes.size() - sizeof(double));
    };
    out.message("reflection", [&] {
        real("signal_strength");
        real("time_of_flight");
        if (lidar_.with_doppler_shift()) real("doppler_shift");
    });
    reflection_.assign(bytes.bytes().begin(), bytes.bytes().end());
}

void WireSource::write()
{
    body_.clear(objects_.size() * object_bytes + lidar_.size() * reflection_.size() + 512);
    writer_.version("version", schema_->osi_version());
    writer_.time("timestamp", now_);
    writer_.id("sensor_id", source_sensor_id);
    writer_.message(
        "global_ground_truth", [&] { write_ground_truth(); }, objects_.size() * object_bytes);
    writer_.id("host_vehicle_id", source_host_id);
    if (lidar_.size() != 0)
        writer_.message(
            "lidar_sensor_view", [&] { write_lidar(); }, lidar_.size() * reflection_.size());
}

void WireSource::write_ground_truth()
{
    writer_.time("timestamp", now_);
    writer_.id("host_vehicle_id", source_host_id);
    for (const auto& object : objects_)
        writer_.message(
            "moving_object", [&] { write_object(object); }, object_bytes);
}

void WireSource::write_object(const SourceObject& object)
{
    writer_.id("id", object.id);
    writer_.message(
        "base",
        [&] {
            writer_.dimension("dimension", source_dimension);
            writer_.vector("position", object.position);
            writer_.orientation("orientation", {});
            writer_.vector("velocity", object.velocity);
            writer_.vector("acceleration", object.acceleration);
            writer_.orientation("orientation_rate", {});
        },
        object_bytes);
    writer_.integer("type", type_vehicle);
    writer_.message("vehicle_attributes", [&] { writer_.vector("bbcenter_to_rear", source_to_rear); });
    writer_.message("vehicle_classification", [&] { write_classification(object); });
}

void WireSource::write_classification(const SourceObject& object)
{
    writer_.integer("type", object.vehicle_type);
    writer_.message("light_state", [&] {
        writer_.integer("indicator_state", indicator_state_off);
        writer_.integer("brake_light_state", brake_light_state_off);
    });
}

void WireSource::write_lidar()
{
    writer_.message(
        "view_configuration",
        [&] {
            const auto& grid = lidar_.grid();
            writer_.message("mounting_position", [&] { writer_.vector("position", source_lidar_position); });
            writer_.real("field_of_view_horizontal", grid.field_of_view_horizontal);
            writer_.real("field_of_view_vertical", grid.field_of_view_vertical);
            if (grid.columns == 0) return;
            writer_.unsigned_integer("number_of_rays_horizontal", grid.columns);
            writer_.unsigned_integer("number_of_rays_vertical", grid.rows);
        });
    const auto size = reflection_.size();
    const auto bytes = size * lidar_.size();
    auto* to = body_.reserve_back(bytes);
    for (std::uint32_t i = 0; i != lidar_.size(); ++i, to += size) {
        const auto reflection = lidar_[i];
        std::memcpy(to, reflection_.data(), size);
        store(to + reflection_places_[0], reflection.signal_strength);
        store(to + reflection_places_[1], reflection.time_of_flight);
        if (lidar_.with_doppler_shift()) store(to + reflection_places_[2], reflection.doppler_shift);
    }
    body_.commit_back(bytes);
}

}  // namespace

}  // namespace dummy

std::unique_ptr<SensorModel> dummy_source(const DummySourceOptions& options)
{
    return dummy::model_of(std::make_unique<dummy::WireSource>(options), options.observer);
}

}  // namespace ositrace
