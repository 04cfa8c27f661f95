// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>

#include <google/protobuf/message.h>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "app/bench/naive/opponent.hpp"

namespace oracle {

using ositrace::Bytes;

/// libprotobuf's deterministic serialization.
std::string serialized(const google::protobuf::Message& message);

/// Do two messages say the same, where `a` may hold enum numbers that the schema does not know? libprotobuf keeps those
/// among the unknown fields, so their order is compared per field only; and where a singular enum field occurred with a
/// known and with an unknown number, it does not say which was last, so that field is not compared. Fields beyond the
/// schema are not compared. Changes both.
bool same_content(google::protobuf::Message& a, google::protobuf::Message& b);

/// Everything that must hold for one message of one type, asked of libprotobuf, flatc's accessors and the Verifier.
/// Keeps its transcoders, so that later messages meet what earlier ones have taught them.
class RoundTrip {
public:
    RoundTrip(const ositrace::Schema& schema, const opponent::Row& row);

    /// Converts both ways and compares; empty when all agree, else what does not. `protobuf` is acceptable to
    /// libprotobuf.
    std::string check(Bytes protobuf);
    /// The same for a buffer that the Verifier accepts.
    std::string check_flat(Bytes flat);
    /// Layouts too, and transcoders without a past: slower.
    std::string check_thoroughly(Bytes protobuf);

    /// Does the Verifier of flatc's code accept it?
    [[nodiscard]] bool verifies(Bytes flat) const;
    /// Is it what libprotobuf parses?
    [[nodiscard]] bool parses(Bytes protobuf) const;
    /// Throws ositrace::Error. The bytes live until the next call.
    Bytes to_flat(Bytes protobuf);
    Bytes to_proto(Bytes flat);
    [[nodiscard]] const opponent::Row& row() const { return row_; }
    [[nodiscard]] std::unique_ptr<google::protobuf::Message> message() const;
    /// The identifier its flat form carries, null for a message that is no top-level type.
    [[nodiscard]] const char* identifier() const { return identifier_.empty() ? nullptr : identifier_.c_str(); }
    [[nodiscard]] std::uint64_t dropped_unknown_fields() const { return forward_.dropped_unknown_fields(); }

private:
    std::string check_layouts(Bytes protobuf, Bytes flat);

    const ositrace::MessageTable& table_;
    const opponent::Row& row_;
    std::string identifier_;
    ositrace::Transcoder forward_, forward_plain_, backward_, backward_plain_;
    ositrace::ByteBuffer flat_, flat_plain_, proto_, proto_plain_;
};

}  // namespace oracle
