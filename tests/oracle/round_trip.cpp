// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/round_trip.hpp"

#include <algorithm>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <ositrace/message_type.hpp>

namespace oracle {

using google::protobuf::Message;
using namespace ositrace;

namespace {

constexpr Format proto{Encoding::protobuf, Layout::numbered};
constexpr Format numbered{Encoding::flatbuffers, Layout::numbered};
constexpr Format declared{Encoding::flatbuffers, Layout::declared};
constexpr TranscodeOptions plain{.limits = {}, .strict = false, .shapes = false};

std::string_view at_first_difference(Bytes a, Bytes b, std::string& text)
{
    const auto place = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
    text = " (" + std::to_string(a.size()) + " and " + std::to_string(b.size()) + " bytes, first difference at " +
           std::to_string(place) + ")";
    return text;
}

std::string differ(std::string_view what, Bytes a, Bytes b)
{
    if (std::ranges::equal(a, b)) return {};
    std::string where;
    return std::string(what) + " differ" + std::string(at_first_difference(a, b, where));
}

std::string identifier_of(std::string_view full_name, Layout layout)
{
    const auto type = message_type_by_full_name(full_name);
    return type ? std::string(row_of(*type).file_identifier[static_cast<std::size_t>(layout)]) : std::string();
}

}  // namespace

std::string serialized(const Message& message)
{
    std::string text;
    google::protobuf::io::StringOutputStream stream(&text);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializePartialToCodedStream(&coded);
    coded.Trim();
    return text;
}

RoundTrip::RoundTrip(const Schema& schema, const opponent::Row& row)
    : table_(*schema.find(row.full_name)),
      row_(row),
      identifier_(identifier_of(row.full_name, Layout::numbered)),
      forward_(table_, proto, numbered),
      forward_plain_(table_, proto, numbered, plain),
      backward_(table_, numbered, proto),
      backward_plain_(table_, numbered, proto, plain)
{
}

std::unique_ptr<Message> RoundTrip::message() const { return std::unique_ptr<Message>(row_.prototype().New()); }

bool RoundTrip::verifies(Bytes flat) const
{
    const auto tables = static_cast<flatbuffers::uoffset_t>(flat.size() + 1);
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(flat.data()), flat.size(),
                                   max_message_depth + 1, tables);
    return row_.verify(verifier, identifier());
}

bool RoundTrip::parses(Bytes protobuf) const
{
    return message()->ParsePartialFromArray(protobuf.data(), static_cast<int>(protobuf.size()));
}

Bytes RoundTrip::to_flat(Bytes protobuf)
{
    forward_.transcode(protobuf, flat_);
    return flat_.bytes();
}

Bytes RoundTrip::to_proto(Bytes flat)
{
    backward_.transcode(flat, proto_);
    return proto_.bytes();
}

std::string RoundTrip::check(Bytes protobuf)
{
    forward_plain_.transcode(protobuf, flat_plain_);
    if (!verifies(flat_plain_.bytes())) return "the Verifier refuses the flat form";
    forward_.transcode(protobuf, flat_);
    if (auto wrong = differ("flat with and without shapes", flat_.bytes(), flat_plain_.bytes()); !wrong.empty())
        return wrong;

    const auto from_flat = message(), expected = message();
    row_.to_proto(flat_.data(), *from_flat);
    if (!expected->ParsePartialFromArray(protobuf.data(), static_cast<int>(protobuf.size())))
        return "libprotobuf refuses the input";
    const auto canonical = serialized(*from_flat);
    const auto reparsed = message();
    if (!reparsed->ParsePartialFromString(canonical)) return "libprotobuf refuses what it has written";
    if (!same_content(*expected, *reparsed))
        return "flatc's accessors read other values than libprotobuf: expected\n" + expected->DebugString() +
               "found\n" + reparsed->DebugString();

    if (auto wrong = check_flat(flat_.bytes()); !wrong.empty()) return wrong;

    // A buffer with the same content that somebody else has built.
    flatbuffers::FlatBufferBuilder builder;
    row_.to_flat(*from_flat, builder, identifier());
    return check_flat({reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()});
}

std::string RoundTrip::check_flat(Bytes flat)
{
    backward_plain_.transcode(flat, proto_plain_);
    const auto from_flat = message();
    row_.to_proto(flat.data(), *from_flat);
    if (auto wrong = differ("flat to proto and libprotobuf's serialization", proto_plain_.bytes(),
                            bytes_of(serialized(*from_flat)));
        !wrong.empty())
        return wrong;
    backward_.transcode(flat, proto_);
    return differ("proto with and without shapes", proto_.bytes(), proto_plain_.bytes());
}

std::string RoundTrip::check_thoroughly(Bytes protobuf)
{
    if (auto wrong = check(protobuf); !wrong.empty()) return wrong;
    ByteBuffer flat, back;
    Transcoder(table_, proto, numbered).transcode(protobuf, flat);
    if (auto wrong = differ("flat with and without a past", flat_.bytes(), flat.bytes()); !wrong.empty()) return wrong;
    Transcoder(table_, numbered, proto).transcode(flat.bytes(), back);
    backward_.transcode(flat.bytes(), proto_);
    if (auto wrong = differ("proto with and without a past", proto_.bytes(), back.bytes()); !wrong.empty())
        return wrong;
    return check_layouts(protobuf, flat.bytes());
}

std::string RoundTrip::check_layouts(Bytes protobuf, Bytes flat)
{
    ByteBuffer as_declared, changed, back;
    Transcoder(table_, proto, declared).transcode(protobuf, as_declared);
    Transcoder(table_, numbered, declared).transcode(flat, changed);
    if (auto wrong = differ("declared layout, direct and from numbered,", as_declared.bytes(), changed.bytes());
        !wrong.empty())
        return wrong;
    Transcoder(table_, declared, numbered).transcode(as_declared.bytes(), changed);
    if (auto wrong = differ("numbered layout, direct and from declared,", flat, changed.bytes()); !wrong.empty())
        return wrong;
    Transcoder(table_, declared, proto).transcode(as_declared.bytes(), back);
    return differ("proto from either layout", back.bytes(), proto_.bytes());
}

}  // namespace oracle
