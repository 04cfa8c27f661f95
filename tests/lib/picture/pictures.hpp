// SPDX-License-Identifier: MPL-2.0
// Pictures of messages that a test writes itself, or that the sample scene makes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/picture_maker.hpp>
#include <ositrace/scene.hpp>

#include "lib/messages/osi_writer.hpp"

namespace ositrace::test {

using scene::OsiWriter;
using Bytestring = std::vector<std::byte>;

/// A message of the built-in schema, Protobuf; fields ascend by number.
[[nodiscard]] Bytestring written(MessageType type, const std::function<void(OsiWriter&)>& write);
/// The same message as FlatBuffers.
[[nodiscard]] Bytestring to_flat(const Bytestring& protobuf, MessageType type);
[[nodiscard]] Channel channel_of(MessageType type, Encoding encoding = Encoding::protobuf);
[[nodiscard]] Frame frame_of(const Bytestring& bytes);
[[nodiscard]] Bytestring frame_of(const Scene& scene, std::uint64_t i);

/// What a new maker makes of one message.
[[nodiscard]] std::shared_ptr<const Picture> picture_of(MessageType type, const Bytestring& bytes,
                                                        Encoding encoding = Encoding::protobuf);
[[nodiscard]] std::shared_ptr<const Picture> picture_of(MessageType type, const std::function<void(OsiWriter&)>& write);

[[nodiscard]] std::vector<Thing> things_of(const Picture& picture, Category category);
/// Boxes, lines and strips of the things of a category.
[[nodiscard]] std::vector<BoxMark> boxes_of(const Picture& picture, Category category);
[[nodiscard]] std::vector<LineMark> lines_of(const Picture& picture, Category category);
/// The texts of the notes, without those that only inform.
[[nodiscard]] std::vector<std::string> complaints(const Picture& picture);
/// Equal but for the pointers: layers and clouds by content, NaN as itself.
void require_equal(const Picture& a, const Picture& b);

/// A box with a place: `base` of a moving or stationary thing.
void write_base(OsiWriter& out, scene::Vector size, scene::Vector position, double yaw = 0);

}  // namespace ositrace::test
