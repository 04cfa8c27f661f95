// SPDX-License-Identifier: MPL-2.0
#include "app/bench/naive/naive_converter.hpp"

#include "osi_opponent.hpp"

namespace ositrace::bench {

const opponent::Row& generated_code_of(MessageType type)
{
    for (const auto& row : opponent::osi::rows())
        if (row.full_name == row_of(type).full_name) return row;
    throw Error(Cause::unsupported, "no generated code for " + std::string(row_of(type).full_name));
}

NaiveConverter::NaiveConverter(MessageType type)
    : code_(generated_code_of(type)), identifier_(row_of(type).file_identifier[0]), message_(code_.prototype().New())
{
}

const google::protobuf::Message& NaiveConverter::parse(Bytes protobuf)
{
    if (!message_->ParseFromArray(protobuf.data(), static_cast<int>(protobuf.size())))
        throw Error(Cause::malformed, "libprotobuf refuses a frame");
    return *message_;
}

Bytes NaiveConverter::to_flat(Bytes protobuf)
{
    parse(protobuf);
    builder_.Clear();
    code_.to_flat(*message_, builder_, identifier_.c_str());
    return std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
}

Bytes NaiveConverter::to_protobuf(Bytes flat)
{
    message_->Clear();
    code_.to_proto(flat.data(), *message_);
    serialized_.clear();
    message_->AppendToString(&serialized_);
    return bytes_of(serialized_);
}

void NaiveConverter::verify(Bytes flat) const
{
    constexpr flatbuffers::uoffset_t deepest = 64,
                                     most_tables = 1u << 31;  // the default of a million refuses a full lidar frame
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(flat.data()), flat.size(), deepest,
                                   most_tables);
    if (!code_.verify(verifier, identifier_.c_str()))
        throw Error(Cause::malformed, "FlatBuffers' Verifier refuses a frame");
}

}  // namespace ositrace::bench
