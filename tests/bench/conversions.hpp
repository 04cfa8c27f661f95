// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <vector>

#include "tests/bench/contest.hpp"
#include "tests/bench/samples.hpp"

namespace bench {

inline constexpr const char* copy_variant = "memcpy of the flat output";
inline constexpr const char* parse_variant = "libprotobuf: parse alone";
inline constexpr const char* naive_variant = "naive";
inline constexpr const char* verified_variant = "naive, verified";
inline constexpr const char* our_variant = "ositrace";

/// Every way to convert one sample. The opponent is generated accessor code of protoc and flatc with a message, a builder and an
/// output buffer that are reused; nothing in it uses reflection.
class Conversions {
public:
    /// Converts the sample in every way and compares. Throws std::runtime_error where two ways differ.
    explicit Conversions(const Sample& sample);
    ~Conversions();

    /// The variants borrow from this object.
    [[nodiscard]] std::vector<Variant> proto_to_flat();
    [[nodiscard]] std::vector<Variant> flat_to_proto();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace bench
