// SPDX-License-Identifier: MPL-2.0
// Static data, which a writer may send only once, in the Protobuf messages of one channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Is a field of GroundTruth or SensorView static, or may it be? See StaticPart.
[[nodiscard]] bool is_static_field(const MessageTable& message, std::string_view field);

/// Remembers the last value of every static field of a message (also of the GroundTruth in a SensorView, and of the
/// SensorView in a SensorData that has one), inserts it into messages that lack it and removes it from messages that
/// repeat it. Messages are in Protobuf; fields keep their bytes. Static fields are: the map (see is_map_field()) and
/// its placement; facts about the whole trace (version, host, sensor, model); traffic lights and environmental
/// conditions, unless two consecutive frames have them: then they are sent periodically, and their absence has a
/// meaning. Memory: one map. Throws Error (malformed, limit) with the offset in the message.
class StaticPart {
public:
    /// The schema must outlive it.
    explicit StaticPart(const MessageTable& message);
    StaticPart(StaticPart&&) noexcept;
    ~StaticPart();

    /// Reads a message that is dropped: its static fields become pending for the next message of the output.
    void skip(Bytes message, std::uint64_t frame);
    /// Is a field pending?
    [[nodiscard]] bool has_pending() const noexcept;
    /// Reads a message of the output and replaces `out` by the message with the pending fields; false if it lacks none
    /// of them.
    bool complete(Bytes message, std::uint64_t frame, ByteBuffer& out);
    /// All known fields become pending, because another file begins.
    void mark_all_pending();
    /// Replaces `out` by the message with every field of the map and its placement that an earlier message had; false
    /// if it lacks none.
    bool expand(Bytes message, std::uint64_t frame, ByteBuffer& out);
    /// Replaces `out` by the message with every fact about the whole trace and the placement of the map that an earlier
    /// message had, but not the map; false if it lacks none. Not those of a nested message.
    bool repeat_facts(Bytes message, std::uint64_t frame, ByteBuffer& out);
    /// Replaces `out` by the message without the fields of expand() that have not changed; false if there are none. It
    /// is the inverse of expand(), which inserts neither what each message must contain (version, host) nor states.
    bool compact(Bytes message, std::uint64_t frame, ByteBuffer& out);

    /// What the last call of complete(), expand() or repeat_facts() inserted.
    [[nodiscard]] std::vector<CarriedField> carried() const;

private:
    struct Field;
    enum class Action : std::uint8_t { keep, drop, insert };

    void scan(Bytes message);
    void remember(std::uint64_t frame);
    void follow_states();
    bool choose(Action action, bool (*fits)(const Field&));
    [[nodiscard]] bool follows_nested() const;
    [[nodiscard]] bool knows_map() const noexcept;
    [[nodiscard]] Bytes nested_message();
    [[nodiscard]] Field* find(std::uint32_t number, std::uint8_t wire_type);
    void write(Bytes message, ByteBuffer& out);
    void insert_before(std::uint32_t number, std::size_t& next, ByteBuffer& out) const;
    void append_nested(ByteBuffer& out) const;
    void list_carried(std::string_view prefix, std::vector<CarriedField>& to) const;

    const MessageTable* message_;
    std::vector<bool> is_static_;         ///< by place in the fields of message_
    std::vector<Field> fields_;           ///< static ones that a message had, ascending by number
    std::unique_ptr<StaticPart> nested_;  ///< of the GroundTruth inside, or of the one SensorView of a SensorData
    const FieldRow* nested_row_ = nullptr;
    std::vector<Bytes> nested_found_;  ///< its occurrences in the current message
    ByteBuffer nested_joined_;
    ByteBuffer nested_out_;
    bool nested_changed_ = false;
    bool nested_dropped_ = false;  ///< nothing of it remains
};

}  // namespace ositrace
