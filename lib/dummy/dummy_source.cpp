// SPDX-License-Identifier: MPL-2.0
#include <ositrace/dummy_source.hpp>

#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/transcoder.hpp>

#include "formats/protobuf/wire.hpp"
#include "lib/dummy/dummy_form.hpp"
#include "lib/dummy/dummy_source_rules.hpp"
#include "lib/messages/osi_writer.hpp"

namespace ositrace {

namespace dummy {

namespace {

constexpr std::size_t object_bytes = 280;  // a good guess

/// Writes the wire.
class WireSource final : public SourceForm {
public:
    explicit WireSource(DummySourceOptions options)
        : options_(std::move(options)),
          lidar_(options_),
          schema_(Schema::built_in()),
          root_(schema_->root(MessageType::sensor_view)),
          objects_(options_.moving_objects),
          writer_(body_, root_)
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
        if (to_flat_)
            to_flat_->transcode(body_.bytes(), out);
        else
            std::swap(body_, out);
    }

private:
    void make_reflection();
    void write();
    void write_ground_truth();
    void write_object(const SourceObject& object);
    void add_object(const SourceObject& object);
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
    std::vector<std::byte> image_;     ///< an encoded object
    std::vector<std::size_t> places_;  ///< in it: of the id, of nine doubles, of the vehicle's type
    std::size_t id_bytes_ = 0;
    std::vector<std::byte> reflection_;           ///< an encoded one
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
    writer_.begin(root_);
    writer_.version("version", schema_->osi_version());
    writer_.time("timestamp", now_);
    writer_.id("sensor_id", source_sensor_id);
    writer_.message("global_ground_truth", [&] { write_ground_truth(); }, objects_.size() * object_bytes);
    writer_.id("host_vehicle_id", source_host_id);
    if (lidar_.size() != 0)
        writer_.message("lidar_sensor_view", [&] { write_lidar(); }, lidar_.size() * reflection_.size());
}

void WireSource::write_ground_truth()
{
    writer_.time("timestamp", now_);
    writer_.id("host_vehicle_id", source_host_id);
    image_.clear();
    for (const auto& object : objects_) add_object(object);
}

// Objects differ in a few values only: an encoded one is copied as long as the id has as many bytes. (All lengths have
// as many bytes as was guessed, so that nothing after it moves.)
void WireSource::add_object(const SourceObject& object)
{
    constexpr auto doubles = std::size_t{9};
    const auto id_bytes = static_cast<std::size_t>(wire::varint_size(object.id));
    if (image_.empty() || id_bytes != id_bytes_) {
        places_.clear();
        const auto start = body_.size();
        writer_.message("moving_object", [&] { write_object(object); }, object_bytes);
        image_.assign(body_.data() + start, body_.data() + body_.size());
        id_bytes_ = id_bytes;
        for (auto& place : places_) place -= start;
        return;
    }
    auto* const to = body_.reserve_back(image_.size());
    std::memcpy(to, image_.data(), image_.size());
    wire::write_varint(to + places_[0], object.id);
    const std::array values{object.position.x,     object.position.y,     object.position.z,
                            object.velocity.x,     object.velocity.y,     object.velocity.z,
                            object.acceleration.x, object.acceleration.y, object.acceleration.z};
    static_assert(values.size() == doubles);
    for (std::size_t i = 0; i != doubles; ++i) store(to + places_[1 + i], values[i]);
    to[places_[1 + doubles]] = static_cast<std::byte>(object.vehicle_type);
    body_.commit_back(image_.size());
}

void WireSource::write_object(const SourceObject& object)
{
    const auto note = [&](std::size_t bytes) { places_.push_back(body_.size() - bytes); };
    const auto vector = [&](scene::FieldName name, const Vector& value) {
        constexpr std::size_t real = 9;  // tag and value
        writer_.vector(name, value);
        for (const auto component : {3, 2, 1}) note(component * real - 1);
    };
    writer_.id("id", object.id);
    note(static_cast<std::size_t>(wire::varint_size(object.id)));
    writer_.message(
        "base",
        [&] {
            writer_.dimension("dimension", source_dimension);
            vector("position", object.position);
            writer_.orientation("orientation", {});
            vector("velocity", object.velocity);
            vector("acceleration", object.acceleration);
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
    places_.push_back(body_.size() - 1);
    writer_.message("light_state", [&] {
        writer_.integer("indicator_state", indicator_state_off);
        writer_.integer("brake_light_state", brake_light_state_off);
    });
}

void WireSource::write_lidar()
{
    writer_.message("view_configuration", [&] {
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
