// SPDX-License-Identifier: MPL-2.0
// What a writer may send only once, followed through the Protobuf messages of one channel.
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
#include <ositrace/edit_static.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Is a field of GroundTruth or SensorView static, or may it be (see StaticPart).
[[nodiscard]] bool is_static_field(const MessageTable& message, std::string_view field);

/// Remembers the last state of every static field of a message (of the GroundTruth in a SensorView too, and of the
/// SensorView in a SensorData that has one) as bytes of the wire, and splices it into messages that lack it, or out of
/// messages that repeat it. Messages are in Protobuf; fields keep their bytes. Static are: the map (see is_map_field())
/// and what places it; what is said about the whole trace (version, host, sensor, model); traffic lights and
/// environmental conditions unless they come in two frames running, because then they are sent anew and their absence
/// means something. Memory: one map. Throws Error (malformed, limit) with the offset in the message.
class StaticPart {
public:
    /// The schema must outlive it.
    explicit StaticPart(const MessageTable& message);
    StaticPart(StaticPart&&) noexcept;
    ~StaticPart();

    /// Reads a message that does not get into the output: what it has is owed to the next one that does.
    void skip(Bytes message, std::uint64_t frame);
    /// Is anything owed to the next message of the output?
    [[nodiscard]] bool owes() const noexcept;
    /// A message of the output. Replaces `out` by the message with the fields that are owed to it; false when it lacks
    /// none.
    bool complete(Bytes message, std::uint64_t frame, ByteBuffer& out);
    /// Everything that was ever seen is owed to the next message of the output: another file begins.
    void owe_all();
    /// Replaces `out` by the message with every field of the map and of its place that an earlier message had; false
    /// when it lacks none.
    bool expand(Bytes message, std::uint64_t frame, ByteBuffer& out);
    /// Replaces `out` by the message without those that are as they were; false when there are none. It undoes
    /// expand(), so it takes the same fields: what a message has to state by itself (version, host) and what is not
    /// there for a reason (states) are left to neither.
    bool compact(Bytes message, std::uint64_t frame, ByteBuffer& out);

    /// What the last call of complete() or expand() put in.
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

    std::vector<Field> fields_;           ///< ascending by number
    std::unique_ptr<StaticPart> nested_;  ///< of the GroundTruth inside, or of the one SensorView of a SensorData
    const FieldRow* nested_row_ = nullptr;
    std::vector<Bytes> nested_found_;  ///< its occurrences in the message being looked at
    ByteBuffer nested_joined_;
    ByteBuffer nested_out_;
    bool nested_changed_ = false;
    bool nested_dropped_ = false;  ///< nothing is left of it
};

}  // namespace ositrace
