// SPDX-License-Identifier: MPL-2.0
// A channel as it is declared beside its messages, in an MCAP file or by a Foxglove server: topic, encoding, schema.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

struct StatedChannel {
    std::string topic;
    std::string message_encoding;                ///< `protobuf`, `flatbuffer`; others are foreign
    std::shared_ptr<const SchemaRecord> schema;  ///< null: none was declared
    std::map<std::string, std::string> metadata = {};
};

/// `protobuf`, `flatbuffer`, or that of a foreign channel.
[[nodiscard]] OSITRACE_API std::string stated_encoding(const Channel& channel);

/// The channel's own schema record if it has the channel's encoding, else one built from its schema: a
/// FileDescriptorSet with imports for Protobuf, a `.bfbs` of `osi3_flat.<type>` for FlatBuffers. Null if neither
/// exists.
[[nodiscard]] OSITRACE_API std::shared_ptr<const SchemaRecord> stated_schema(const Channel& channel);

/// Why the messages of a channel without `root` cannot be read as OSI: `demo.Vec is not a message of OSI`, `its
/// messages are json, not an encoding of OSI`, or why its schema cannot be used.
[[nodiscard]] OSITRACE_API std::string why_not_osi(const Channel& channel);

/// Orders schema records by their contents: several channels may each come with a copy of one.
struct OSITRACE_API BySchemaContent {
    bool operator()(const std::shared_ptr<const SchemaRecord>& a, const std::shared_ptr<const SchemaRecord>& b) const;
};

/// Makes channels from what is stated of them. Compiles each schema once. One thread at a time.
class OSITRACE_API ChannelReader {
public:
    /// What the user states takes precedence; `type` is for channels without a schema.
    struct Options {
        std::optional<MessageType> type = {};
        std::optional<Layout> layout = {};
        std::shared_ptr<const Schema> schema = nullptr;
        /// Called for a channel of OSI whose schema cannot be used: it is read with the built-in one.
        std::function<void(const Error&)> on_warning = {};
    };
    ChannelReader() = default;
    explicit ChannelReader(Options options) : options_(std::move(options)) {}

    /// Never throws for what is stated: a channel whose messages cannot be read has no root, and says why
    /// (Channel::unviewable).
    [[nodiscard]] Channel read(StatedChannel stated);

private:
    void look_inside(Channel& channel);
    void look_inside_protobuf(Channel& channel);
    void look_inside_flatbuffer(Channel& channel) const;
    [[nodiscard]] std::shared_ptr<const Schema> schema_of(Channel& channel);
    [[nodiscard]] std::shared_ptr<const Schema> compiled(const std::shared_ptr<const SchemaRecord>& record);

    struct Compiled {
        std::shared_ptr<const SchemaRecord> from;
        std::shared_ptr<const Schema> schema;
    };

    Options options_;
    std::map<std::string_view, Compiled> compiled_;  ///< by descriptor set, which `from` keeps
};

}  // namespace ositrace
