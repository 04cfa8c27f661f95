// SPDX-License-Identifier: MPL-2.0
#include <flatbuffers/flatbuffers.h>

#include "app/bench/structs/tree_codec.hpp"

#include "sensor_data_generated.h"

namespace ositrace::bench {
namespace {

namespace flat = structs::flat;

/// flatc's code with a builder that is reused.
class FlatCodec : public StructCodec {
public:
    std::size_t write(const SensorData& data, std::byte* to) final
    {
        builder_.Clear();
        finish(data);
        return copied(builder_.GetBufferPointer(), builder_.GetSize(), to);
    }

protected:
    template <class Root>
    static const Root& verified_root(Bytes bytes)
    {
        flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        if (!verifier.VerifyBuffer<Root>(nullptr)) throw Error(Cause::malformed, "the Verifier does not accept it");
        return *flatbuffers::GetRoot<Root>(bytes.data());
    }
    virtual void finish(const SensorData& data) = 0;

    flatbuffers::FlatBufferBuilder builder_;
};

class FlatTables final : public FlatCodec {
public:
    explicit FlatTables(bool verified) noexcept : verified_(verified) {}

    void read(Bytes bytes, SensorData& data) override
    {
        const auto& root =
            verified_ ? verified_root<flat::SensorData>(bytes) : *flatbuffers::GetRoot<flat::SensorData>(bytes.data());
        if (root.version() == nullptr || root.status() == nullptr || root.target_status() == nullptr ||
            root.target() == nullptr)
            throw Error(Cause::malformed, "a table is missing");
        const auto& version = *root.version();
        data.version = {version.data_type(), version.result(), version.master(), version.second(), version.step()};
        data.status = {root.status()->mode(), root.status()->roll_count(), root.status()->configuration()};
        data.target_status = {root.target_status()->targets(), root.target_status()->roll_count()};
        const auto& target = *root.target();
        data.target = {target.index(), target.cross_section(), target.range(),      target.azimuth(),
                       target.speed(), target.roll_count(),    target.noise_ratio()};
        data.target_count = root.target_count();
    }

private:
    void finish(const SensorData& data) override
    {
        const auto version = flat::CreateSensorVersion(builder_, data.version.data_type, data.version.result,
                                                       data.version.master, data.version.second, data.version.step);
        const auto status =
            flat::CreateSensorStatus(builder_, data.status.mode, data.status.roll_count, data.status.configuration);
        const auto target_status =
            flat::CreateTargetStatus(builder_, data.target_status.targets, data.target_status.roll_count);
        const auto target = flat::CreateTargetInfo(builder_, data.target.index, data.target.cross_section,
                                                   data.target.range, data.target.azimuth, data.target.speed,
                                                   data.target.roll_count, data.target.noise_ratio);
        builder_.Finish(flat::CreateSensorData(builder_, version, status, target_status, target, data.target_count));
    }

    bool verified_;
};

class FlatStruct final : public FlatCodec {
public:
    void read(Bytes bytes, SensorData& data) override
    {
        const auto& root = verified_root<flat::FixedSensorData>(bytes);
        if (root.data() == nullptr) throw Error(Cause::malformed, "the struct is missing");
        const auto& from = *root.data();
        data.version = {from.version().data_type(), from.version().result(), from.version().master(),
                        from.version().second(), from.version().step()};
        data.status = {from.status().mode(), from.status().roll_count(), from.status().configuration()};
        data.target_status = {from.target_status().targets(), from.target_status().roll_count()};
        const auto& target = from.target();
        data.target = {target.index(), target.cross_section(), target.range(),      target.azimuth(),
                       target.speed(), target.roll_count(),    target.noise_ratio()};
        data.target_count = from.target_count();
    }

private:
    void finish(const SensorData& data) override
    {
        const flat::FixedData fixed(
            {data.version.data_type, data.version.result, data.version.master, data.version.second, data.version.step},
            {data.status.mode, data.status.roll_count, data.status.configuration},
            {data.target_status.targets, data.target_status.roll_count},
            {data.target.index, data.target.cross_section, data.target.range, data.target.azimuth, data.target.speed,
             data.target.roll_count, data.target.noise_ratio},
            data.target_count);
        builder_.Finish(flat::CreateFixedSensorData(builder_, &fixed));
    }
};

}  // namespace

std::unique_ptr<StructCodec> flat_codec(FlatForm form)
{
    if (form == FlatForm::fixed) return std::make_unique<FlatStruct>();
    return std::make_unique<FlatTables>(form == FlatForm::verified);
}

}  // namespace ositrace::bench
