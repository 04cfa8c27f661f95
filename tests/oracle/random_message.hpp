// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <random>

#include <google/protobuf/message.h>

namespace oracle {

/// What random messages are made of.
struct RandomOptions {
    /// Enum numbers that the schema does not know. libprotobuf keeps them as unknown fields, so its own bytes have
    /// another order.
    bool unknown_enum_values = false;
    /// Fields that the schema does not know, of every wire type but groups.
    bool unknown_fields = false;
    int max_depth = 8;
    /// Messages and elements in all: bounds the size.
    int max_elements = 3000;
};

/// Fills messages of any type with values chosen to hurt: explicit zeros, empty strings, empty messages, NaN payloads,
/// limits. The elements of a repeated field mostly have one presence pattern, as real ones have, and at times another.
/// The same seed gives the same messages on every machine.
class RandomMessages {
public:
    explicit RandomMessages(std::uint64_t seed, RandomOptions options = {}) : values_(seed), options_(options) {}

    void fill(google::protobuf::Message& message);
    /// Fields and elements that fill() has added that the schema does not know.
    [[nodiscard]] std::uint64_t unknown_fields() const { return unknown_; }

private:
    using Random = std::mt19937_64;
    /// `pattern` decides what is present and how wide it is, values_ decides the value.
    void fill(google::protobuf::Message& message, Random& pattern, int depth);
    void set_field(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field, Random& pattern,
                   int depth);
    void add_scalar(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field,
                    Random& pattern);
    void add_unknown_fields(google::protobuf::Message& message);
    int element_count(const google::protobuf::FieldDescriptor& field, Random& pattern);
    std::uint64_t integer(Random& pattern);
    double real(Random& pattern);
    std::string text(Random& pattern, bool binary);
    std::uint64_t below(std::uint64_t limit) { return values_() % limit; }

    Random values_;
    RandomOptions options_;
    int elements_ = 0;
    std::uint64_t unknown_ = 0;
};

}  // namespace oracle
