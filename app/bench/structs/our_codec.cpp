// SPDX-License-Identifier: MPL-2.0
// Ours on the Protobuf wire: fields are written by name and read through a view, without message objects.
#include <memory>

#include <google/protobuf/descriptor.pb.h>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

#include "app/bench/structs/tree_codec.hpp"
#include "lib/messages/osi_writer.hpp"

#include "sensor_data.pb.h"

namespace ositrace::bench {
namespace {

/// The schema of sensor_data.proto.
const Schema& schema_of_structs()
{
    static const auto schema = [] {
        google::protobuf::FileDescriptorSet set;
        structs::SensorData::descriptor()->file()->CopyTo(set.add_file());
        return Schema::compile(bytes_of(set.SerializeAsString()));
    }();
    return *schema;
}

class OurCodec final : public StructCodec {
public:
    std::size_t write(const SensorData& data, std::byte* to) override
    {
        buffer_.clear(max_bytes);
        writer_.begin(root_);
        writer_.message("version", [&] {
            writer_.unsigned_integer("data_type", data.version.data_type);
            writer_.boolean("result", data.version.result);
            writer_.unsigned_integer("master", data.version.master);
            writer_.unsigned_integer("second", data.version.second);
            writer_.unsigned_integer("step", data.version.step);
        });
        writer_.message("status", [&] {
            writer_.unsigned_integer("mode", data.status.mode);
            writer_.unsigned_integer("roll_count", data.status.roll_count);
            writer_.unsigned_integer("configuration", data.status.configuration);
        });
        writer_.message("target_status", [&] {
            writer_.unsigned_integer("targets", data.target_status.targets);
            writer_.unsigned_integer("roll_count", data.target_status.roll_count);
        });
        writer_.message("target", [&] {
            writer_.unsigned_integer("index", data.target.index);
            writer_.real("cross_section", double{data.target.cross_section});
            writer_.real("range", double{data.target.range});
            writer_.integer("azimuth", data.target.azimuth);
            writer_.real("speed", double{data.target.speed});
            writer_.unsigned_integer("roll_count", data.target.roll_count);
            writer_.integer("noise_ratio", std::int64_t{data.target.noise_ratio});
        });
        writer_.unsigned_integer("target_count", data.target_count);
        return copied(buffer_.data(), buffer_.size(), to);
    }
    /// The fields have the numbers 1, 2, 3 ... in the order of the struct.
    void read(Bytes bytes, SensorData& data) override
    {
        const MessageView root(bytes, root_, Format{});
        std::uint32_t number = 0;
        for_each_part(
            data,
            [&](const char* key, std::size_t, auto&& visit) {
                const auto part = root.message(++number);
                if (!part) throw_missing(key);
                std::uint32_t number_in_part = 0;
                visit([&](const char* name, auto& value) { get(*part, ++number_in_part, name, value); });
            },
            [&](const char* key, auto& value) { get(root, ++number, key, value); });
    }

private:
    template <class Field>
    static void get(const MessageView& message, std::uint32_t number, const char* key, Field& value)
    {
        if constexpr (std::is_floating_point_v<Field>) {
            const auto real = message.real(number);
            if (!real) throw_missing(key);
            value = static_cast<Field>(*real);
        } else {
            const auto integer = message.integer(number);
            if (!integer) throw_missing(key);
            if constexpr (std::is_same_v<Field, bool>)
                value = *integer != 0;
            else
                value = narrowed<Field>(*integer, key);
        }
    }

    const MessageTable& root_ = *schema_of_structs().find("ositrace.structs.SensorData");
    ByteBuffer buffer_;
    scene::OsiWriter writer_{buffer_, root_};
};

}  // namespace

std::unique_ptr<StructCodec> our_codec() { return std::make_unique<OurCodec>(); }

}  // namespace ositrace::bench
