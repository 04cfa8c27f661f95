// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/wrap.hpp>

#include <functional>
#include <variant>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_view.hpp>

#include "formats/protobuf/field_reader.hpp"
#include "formats/protobuf/message_writer.hpp"
#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"

namespace ositrace {

namespace {

/// Converts Protobuf messages of one type to another type.
class Rewrap {
public:
    virtual ~Rewrap() = default;
    virtual void apply(Bytes message, ByteBuffer& out) = 0;
};

/// The occurrences of a field, merged as Protobuf does; several are joined in `joined`.
std::optional<Bytes> submessage(Bytes message, std::uint32_t number, ByteBuffer& joined)
{
    std::optional<Bytes> found;
    for (wire::FieldReader reader(message); reader.next();) {
        if (reader.number() != number || reader.wire_type() != wire::length_delimited) continue;
        if (!found) {
            found = reader.bytes();
            continue;
        }
        if (found->data() != joined.data()) {
            joined.clear();
            joined.append(*found);
        }
        joined.append(reader.bytes());
        found = joined.bytes();
    }
    return found;
}

/// nullopt: `host` is one of the moving objects of the ground truth, or there are no moving objects.
std::optional<UnknownHost> unknown_host(const MessageView& ground_truth, std::optional<std::uint64_t> host)
{
    constexpr std::size_t most_listed = 8;
    const auto* const objects = ground_truth.table().find("moving_object");
    const auto* const id = objects == nullptr || objects->child == nullptr ? nullptr : objects->child->find("id");
    if (id == nullptr) return std::nullopt;
    UnknownHost unknown{host, {}, 0};
    bool found = false;
    ground_truth.for_each_element(*objects, [&](const Value& value) {
        const auto identifier = std::get<MessageView>(value).message(id->number);
        if (!identifier) return true;
        const auto number =
            static_cast<std::uint64_t>(identifier->integer(1).value_or(0));  // Identifier{ uint64 value = 1 }
        found = host == number;
        ++unknown.moving_objects;
        if (unknown.first_ids.size() < most_listed) unknown.first_ids.push_back(number);
        return !found;
    });
    return found || unknown.moving_objects == 0 ? std::nullopt : std::optional(std::move(unknown));
}

class Wrap final : public Rewrap {
public:
    Wrap(const MessageTable& ground_truth, const MessageTable& sensor_view, const WrapOptions& options)
        : options_(options),
          ground_truth_table_(ground_truth),
          gt_version_(ground_truth, "version"),
          gt_timestamp_(ground_truth, "timestamp"),
          gt_host_(ground_truth, "host_vehicle_id"),
          version_(sensor_view, "version"),
          timestamp_(sensor_view, "timestamp"),
          sensor_id_(sensor_view, "sensor_id"),
          mounting_(sensor_view, "mounting_position"),
          ground_truth_(sensor_view, "global_ground_truth"),
          host_(sensor_view, "host_vehicle_id"),
          id_value_(*sensor_id_.row().child, "value"),
          position_(*mounting_.row().child, "position"),
          orientation_(*mounting_.row().child, "orientation"),
          x_(*position_.row().child, "x"),
          y_(*position_.row().child, "y"),
          z_(*position_.row().child, "z"),
          roll_(*orientation_.row().child, "roll"),
          pitch_(*orientation_.row().child, "pitch"),
          yaw_(*orientation_.row().child, "yaw")
    {
    }

    void apply(Bytes message, ByteBuffer& out) override
    {
        // A version that is sent once applies to all frames, but every SensorView needs one.
        if (const auto version = submessage(message, gt_version_.row().number, joined_))
            last_version_.assign(version->begin(), version->end());
        out.clear(message.size() + 256);
        MessageWriter to(out);
        if (!last_version_.empty()) to.bytes(version_, last_version_);
        if (const auto time = submessage(message, gt_timestamp_.row().number, joined_)) to.bytes(timestamp_, *time);
        if (options_.sensor_id) write_id(to, sensor_id_, *options_.sensor_id);
        if (options_.mounting) write_mounting(to, *options_.mounting);
        to.bytes(ground_truth_, message);
        const auto host = options_.host ? std::nullopt : submessage(message, gt_host_.row().number, joined_);
        if (options_.host)
            write_id(to, host_, *options_.host);
        else if (host)
            to.bytes(host_, *host);
        check_host(message, host);
    }

private:
    /// Once, in the first message with moving objects.
    void check_host(Bytes ground_truth, const std::optional<Bytes>& stated)
    try {
        if (host_is_checked_ || !options_.on_unknown_host) return;
        const MessageView view(ground_truth, ground_truth_table_, {});
        auto host = options_.host;
        if (stated)
            host = static_cast<std::uint64_t>(
                MessageView(*stated, *gt_host_.row().child, {}).integer(id_value_.row().number).value_or(0));
        const auto unknown = unknown_host(view, host);
        host_is_checked_ = unknown || has_moving_objects(view);
        if (unknown) options_.on_unknown_host(*unknown);
    } catch (const Error&) {
        host_is_checked_ = true;  // a damaged ground truth is copied unchanged
    }
    static bool has_moving_objects(const MessageView& ground_truth)
    {
        const auto* const row = ground_truth.table().find("moving_object");
        return row != nullptr && ground_truth.has(*row);
    }
    void write_id(MessageWriter& to, const FieldTag& tag, std::uint64_t id) const
    {
        to.message(tag, [&] { to.unsigned_integer(id_value_, id); });
    }
    void write_mounting(MessageWriter& to, const Mounting& mounting) const
    {
        to.message(mounting_, [&] {
            to.message(position_, [&] {
                to.real(x_, mounting.x);
                to.real(y_, mounting.y);
                to.real(z_, mounting.z);
            });
            to.message(orientation_, [&] {
                to.real(roll_, mounting.roll);
                to.real(pitch_, mounting.pitch);
                to.real(yaw_, mounting.yaw);
            });
        });
    }

    WrapOptions options_;
    const MessageTable& ground_truth_table_;
    bool host_is_checked_ = false;
    FieldTag gt_version_, gt_timestamp_, gt_host_;
    FieldTag version_, timestamp_, sensor_id_, mounting_, ground_truth_, host_;
    FieldTag id_value_, position_, orientation_, x_, y_, z_, roll_, pitch_, yaw_;
    std::vector<std::byte> last_version_;
    ByteBuffer joined_;
};

class Unwrap final : public Rewrap {
public:
    explicit Unwrap(const MessageTable& sensor_view) : ground_truth_(sensor_view, "global_ground_truth") {}

    void apply(Bytes message, ByteBuffer& out) override
    {
        const auto found = submessage(message, ground_truth_.row().number, joined_);
        if (!found)
            throw Error(Cause::mismatch,
                        "the SensorView has no global_ground_truth. Use 'osiconvert cut' to drop such frames.");
        out.clear(found->size());
        out.append(*found);
    }

private:
    FieldTag ground_truth_;
    ByteBuffer joined_;
};

class RewrapSource final : public EditSource {
public:
    using Make = std::function<std::unique_ptr<Rewrap>(const MessageTable& from, const MessageTable& to)>;

    RewrapSource(std::unique_ptr<FrameSource> source, MessageType input, MessageType output, Make make)
        : EditSource(std::move(source)), input_(input), output_(output), make_(std::move(make))
    {
        info_ = info_of_source();
        info_.channels.clear();
        follow_source();
        if (!from().info().may_grow) check_type();
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override
    {
        const bool more = from().read(frame, stop);
        follow_source();  // records may follow the last message
        if (!more) {
            if (!stop.stop_requested()) check_type();
            return false;
        }
        auto& channel = channels_.at(frame.channel);
        if (!channel.rewrap) return true;
        try {
            channel.rewrap->apply(channel.form->of(frame.bytes), edited_);
            if (edited_.size() > max_encodable_bytes)
                throw Error(Cause::limit, "the message exceeds the limit of 2147483647 bytes");
            channel.form->replace(frame, edited_);
        } catch (const Error& e) {
            throw within_frame(e, frame, info_.file);
        }
        return true;
    }

private:
    struct ChannelState {
        std::unique_ptr<ProtobufForm> form;
        std::unique_ptr<Rewrap> rewrap;  ///< null: copied unchanged
    };

    void check_type() const
    {
        for (const auto& channel : channels_)
            if (channel.rewrap) return;
        throw Error(Cause::mismatch, {.file = info_.file, .frame = {}, .offset = {}, .field = {}},
                    "no channel holds " + std::string(row_of(input_).full_name) + found());
    }

    void follow_source()
    {
        const auto& source = info_of_source();
        for (auto i = channels_.size(); i < source.channels.size(); ++i) add(source.channels[i]);
        follow_records(info_);
    }

    void add(const Channel& channel)
    {
        auto& state = channels_.emplace_back();
        auto& out = info_.channels.emplace_back(channel);
        if (channel.type != input_ || !ProtobufForm::exists(channel)) return;
        const auto& row = row_of(output_);
        if (channel.schema->find(row.full_name) == nullptr)
            out.schema = Schema::built_in();  // the schema of a file may contain its own type only
        out.root = &out.schema->root(output_);
        out.type = output_;
        out.type_name = row.full_name;
        out.schema_record.reset();
        if (channel.topic == row_of(input_).name || channel.topic == channel.type_name) out.topic = row.name;
        state.form = std::make_unique<ProtobufForm>(channel, out);
        state.rewrap = make_(*channel.root, *out.root);
    }

    [[nodiscard]] std::string found() const
    {
        std::string names;
        for (const auto& channel : info_.channels)
            names.append(names.empty() ? ", found " : ", ").append(channel.type_name);
        return names;
    }

    MessageType input_;
    MessageType output_;
    Make make_;
    TraceInfo info_;
    std::vector<ChannelState> channels_;
    ByteBuffer edited_;
};

}  // namespace

std::unique_ptr<FrameSource> wrap_ground_truth(std::unique_ptr<FrameSource> from, const WrapOptions& options)
{
    return std::make_unique<RewrapSource>(std::move(from), MessageType::ground_truth, MessageType::sensor_view,
                                          [options](const MessageTable& ground_truth, const MessageTable& sensor_view) {
                                              return std::make_unique<Wrap>(ground_truth, sensor_view, options);
                                          });
}

std::unique_ptr<FrameSource> unwrap_ground_truth(std::unique_ptr<FrameSource> from)
{
    return std::make_unique<RewrapSource>(
        std::move(from), MessageType::sensor_view, MessageType::ground_truth,
        [](const MessageTable& sensor_view, const MessageTable&) { return std::make_unique<Unwrap>(sensor_view); });
}

}  // namespace ositrace
