// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzzing {

/// Mutates a Protobuf payload in front of `choices` bytes, the last of which names the root: a field somewhere in the
/// tree is changed, repeated, removed, moved or added, and the lengths around it stay right. Now and then the bytes are
/// mutated as they stand. For LLVMFuzzerCustomMutator().
std::size_t mutate_message(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                           std::size_t choices);

/// The same for bytes and type that are at hand; false when the bytes are no message.
bool mutate_payload(const std::uint8_t* data, std::size_t size, std::size_t root, unsigned seed, std::uint8_t* to,
                    std::size_t max_size, std::size_t& new_size);

}  // namespace fuzzing
