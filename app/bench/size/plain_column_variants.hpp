// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "app/bench/core/round.hpp"
#include "app/bench/size/block_codec.hpp"
#include "app/bench/size/reflection_messages.hpp"

namespace ositrace::bench {

/// A form of the message, compressed or not.
struct StoredForm {
    const char* name;
    const char* what;
    std::unique_ptr<ReflectionForm> (*make)();
    bool floats = false;
    Role role = Role::other;
};
[[nodiscard]] std::span<const StoredForm> stored_forms() noexcept;

/// Arrays to a (compressed) message, and back. The arrays are borrowed.
[[nodiscard]] Variant write_variant(const StoredForm& form, const CodecRow& codec, const ReflectionArrays& arrays);
[[nodiscard]] Variant read_variant(const StoredForm& form, const CodecRow& codec, const ReflectionArrays& arrays);

}  // namespace ositrace::bench
