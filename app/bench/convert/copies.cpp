// SPDX-License-Identifier: MPL-2.0
// The yardstick: nothing that writes the output can be faster than copying it.
#include <cstring>

#include "app/bench/convert/frame_variants.hpp"

namespace ositrace::bench {
namespace {

Variant copy_of(const std::vector<FrameBytes>& frames, const char* name)
{
    const auto buffer = std::make_shared<FrameBytes>();
    const auto copy = [buffer, &frames] {
        std::size_t bytes = 0;
        for (const auto& frame : frames) {
            if (buffer->size() < frame.size()) buffer->resize(frame.size());
            std::memcpy(buffer->data(), frame.data(), frame.size());
            bytes += frame.size();
        }
        return bytes;
    };
    return {
        .name = name, .what = "copies the finished output: what memory allows", .role = Role::yardstick, .run = copy};
}

}  // namespace

Variant memcpy_of_flat(const Sample& sample) { return copy_of(sample.flat, "memcpy of the output"); }
Variant memcpy_of_protobuf(const Sample& sample) { return copy_of(sample.protobuf, "memcpy of the output"); }

}  // namespace ositrace::bench
