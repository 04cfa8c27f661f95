// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <google/protobuf/descriptor.h>

namespace oracle {

/// Writes a canonical Protobuf message in another legal way: fields out of order, singular fields twice, submessages in
/// pieces, packed fields unpacked and the reverse, padded varints. libprotobuf parses the result; only what it says is
/// the reference.
class WireScrambler {
public:
    explicit WireScrambler(std::uint64_t seed) : random_(seed) {}
    std::string scrambled(std::string_view canonical, const google::protobuf::Descriptor& type);

private:
    struct Field {
        std::uint32_t tag = 0;
        std::string_view payload;  ///< of the canonical message: varint, fixed bytes, or what follows a length
    };
    static std::vector<Field> split(std::string_view canonical);
    void write(const Field& field, const google::protobuf::FieldDescriptor* known, std::string& out);
    void write_delimited(std::uint32_t number, std::string_view payload, std::string& out);
    void write_unpacked(const google::protobuf::FieldDescriptor& known, std::string_view packed, std::string& out);
    void write_pieces(const Field& field, const google::protobuf::Descriptor& type, std::string& out);
    void write_varint(std::uint64_t value, std::string& out, std::size_t most_bytes);
    bool chance(unsigned one_in) { return random_() % one_in == 0; }

    std::mt19937_64 random_;
};

}  // namespace oracle
