// SPDX-License-Identifier: MPL-2.0
#include "app/bench/size/plain_column_variants.hpp"

#include <array>

namespace ositrace::bench {
namespace {

constexpr std::array forms{
    StoredForm{"Protobuf", "a Reflection each, libprotobuf, message reused", protobuf_elements, false, Role::naive},
    StoredForm{"FlatBuffers", "a Reflection each, builder reused, read without the Verifier", flat_elements},
    StoredForm{"columns of doubles", "one bytes field (extension 10000) of the same Protobuf message",
               [] { return plain_columns(ColumnNumbers::doubles); }},
    StoredForm{"columns of floats", "the same, rounded to float", [] { return plain_columns(ColumnNumbers::floats); },
               true},
};

struct Work {
    std::unique_ptr<ReflectionForm> form;
    std::unique_ptr<BlockCodec> codec;  ///< null: not compressed
    bool floats = false;
    Bytes message;
    Block packed, unpacked;

    std::size_t write(const ReflectionArrays& arrays)
    {
        message = form->write(arrays);
        if (!codec) return message.size();
        codec->compress(message, packed);
        return packed.size();
    }
    void read()
    {
        if (!codec) return form->read(message);
        unpacked.resize(message.size());
        codec->decompress(packed, unpacked);
        form->read(unpacked);
    }
    void add_to(Answer& answer) const
    {
        if (floats) {
            answer.add_coarse(form->float_signal_strength);
            answer.add_coarse(form->float_time_of_flight);
        } else {
            answer.add(form->arrays.signal_strength);
            answer.add(form->arrays.time_of_flight);
        }
    }
};

std::shared_ptr<Work> work_for(const StoredForm& form, const CodecRow& codec)
{
    auto work = std::make_shared<Work>();
    work->form = form.make();
    work->floats = form.floats;
    if (codec.compression != Compression::none) work->codec = make_codec(codec);
    return work;
}

Variant variant_of(const StoredForm& form, const CodecRow& codec, const std::shared_ptr<Work>& work)
{
    const bool plain = codec.compression == Compression::none;
    Variant variant{.name = form.name, .what = form.what, .role = plain ? form.role : Role::other};
    if (!plain) variant.name += std::string(", ") + codec.name, variant.what += std::string(", ") + codec.what;
    variant.keeps_less = form.floats;
    variant.answer = [work](Answer& answer) {
        work->read();
        work->add_to(answer);
    };
    return variant;
}

}  // namespace

std::span<const StoredForm> stored_forms() noexcept { return forms; }

Variant write_variant(const StoredForm& form, const CodecRow& codec, const ReflectionArrays& arrays)
{
    const auto work = work_for(form, codec);
    auto variant = variant_of(form, codec, work);
    variant.run = [work, &arrays] { return work->write(arrays); };
    return variant;
}

Variant read_variant(const StoredForm& form, const CodecRow& codec, const ReflectionArrays& arrays)
{
    const auto work = work_for(form, codec);
    const auto size = work->write(arrays);
    auto variant = variant_of(form, codec, work);
    variant.run = [work, size] { return work->read(), size; };
    return variant;
}

}  // namespace ositrace::bench
