// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

/// A length as it stands before a message.
inline std::string prefix(std::size_t length)
{
    std::string bytes(4, '\0');
    for (std::size_t i = 0; i != bytes.size(); ++i) bytes[i] = static_cast<char>(length >> 8 * i);
    return bytes;
}

/// The bytes of a length-prefixed file.
inline std::string framed(const std::vector<std::string>& messages)
{
    std::string all;
    for (const auto& message : messages) all += prefix(message.size()) + message;
    return all;
}

/// The messages of a scene, in either encoding.
inline std::vector<std::string> scene_messages(const ositrace::SceneOptions& options, ositrace::Encoding encoding)
{
    using namespace ositrace;
    const Scene scene(options);
    Transcoder transcoder(*scene.info().channels.front().root, {}, {Encoding::flatbuffers, Layout::numbered});
    std::vector<std::string> all;
    ByteBuffer message, flat;
    for (std::uint64_t i = 0; i < options.frames; ++i) {
        scene.frame(i, message);
        if (encoding == Encoding::flatbuffers) transcoder.transcode(message.bytes(), flat);
        all.emplace_back(text_of(encoding == Encoding::flatbuffers ? flat.bytes() : message.bytes()));
    }
    return all;
}
