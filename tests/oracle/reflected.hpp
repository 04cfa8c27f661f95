// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <flatbuffers/reflection.h>
#include <google/protobuf/message.h>

#include <ositrace/bytes.hpp>

namespace oracle {

/// Reads a buffer through a binary schema and flatbuffers' own reflection, whatever the layout, and compares it with a
/// message: the same fields present, the same values to the last bit. Empty when equal, else the path of the first
/// difference.
std::string difference(const reflection::Schema& schema, ositrace::Bytes flat,
                       const google::protobuf::Message& message);

}  // namespace oracle
