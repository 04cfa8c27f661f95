// SPDX-License-Identifier: MPL-2.0
#include <random>

#include <ositrace/error.hpp>

#include "app/bench/dummy/opponents.hpp"
#include "tests/catch.hpp"
#include "tests/model/forms.hpp"
#include "tests/model/sample_views.hpp"

using namespace ositrace;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

/// Is there an Error? Anything else than that and a result ends the test.
bool refuses(SensorModel& model, Bytes input)
{
    try {
        static_cast<void>(step(model, input, 100ms));
        return false;
    } catch (const Error&) {
        return true;
    }
}

std::vector<NamedModel> careful_sensors(bool carry)
{
    auto models = sensors({.carry_input = carry});
    // Where the builder carries the input, flatbuffers' CopyTable also copies the placeholders of unused ids, at which
    // the Verifier that flatc generates does not look.
    std::erase_if(models, [&](const NamedModel& model) {
        return model.name == "builder, trusted" || (carry && model.name == "builder, verified");
    });
    for (auto& [name, takes, model] : models) model->initialize(info_of(MessageType::sensor_view, takes), {});
    return models;
}

}  // namespace

TEST_CASE("every form refuses a message that is cut off")
{
    const auto whole = source_views(20, 100, false, 1).front();
    const auto flat = to_flat(whole, MessageType::sensor_view);
    for (auto& [name, takes, model] : careful_sensors(GENERATE(false, true))) {
        INFO(name);
        const auto& input = takes == flat_format ? flat : whole;
        CHECK_FALSE(refuses(*model, input));
        // What ours does not read it does not check: the last reflections of a FlatBuffer.
        if (name != "ours, FlatBuffers")
            CHECK(refuses(*model, Bytes(input).first(input.size() - 1 - (takes == flat_format ? 8 : 0))));
        CHECK(refuses(*model, Bytes(input).first(input.size() / 2)));
        CHECK_FALSE(refuses(*model, input));  // and goes on
    }
}

TEST_CASE("every form refuses broken structure")
{
    auto whole = source_views(20, 0, false, 1).front();
    auto flat = to_flat(whole, MessageType::sensor_view);
    whole[whole.size() / 2] = std::byte{0xff};
    for (std::size_t i = flat.size() - 40; i != flat.size() - 20; ++i) flat[i] = std::byte{0xff};
    flat[0] = flat[1] = flat[2] = std::byte{0xff};
    for (auto& [name, takes, model] : careful_sensors(false)) {
        INFO(name);
        if (takes == flat_format) CHECK(refuses(*model, flat));
    }
}

TEST_CASE("no change of bytes makes a form do anything but refuse or answer")
{
    std::mt19937 random(7);
    auto models = careful_sensors(GENERATE(false, true));
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const auto view = seed % 2 == 0 ? odd_view(seed) : source_views(5, 60, false, 1).front();
        const auto flat = to_flat(view, MessageType::sensor_view);
        for (int change = 0; change < 40; ++change) {
            for (auto& [name, takes, model] : models) {
                auto input = takes == flat_format ? flat : view;
                if (input.empty()) continue;
                for (auto count = 1 + random() % 4; count != 0; --count)
                    input[random() % input.size()] = static_cast<std::byte>(random() % 3 == 0 ? 0xff : random());
                if (random() % 4 == 0) input.resize(random() % input.size());
                static_cast<void>(refuses(*model, input));
            }
        }
    }
}

TEST_CASE("an error names frame and place")
{
    const auto model = dummy_sensor();
    auto info = info_of(MessageType::sensor_view, protobuf_format);
    info.file = "in.osi";
    model->initialize(info, {});
    auto view = source_views(3, 0, false, 1).front();
    view.back() = std::byte{0x0f};  // the last id: of the host vehicle
    view[view.size() - 2] = std::byte{0x3f};
    Frame frame;
    frame.bytes = view;
    frame.index = 12;
    frame.offset = 4000;
    frame.payload_offset = 4004;
    std::string what;
    try {
        static_cast<void>(model->step({&frame, 1}, 0ms, 1ms));
    } catch (const Error& error) {
        what = error.what();
    }
    CHECK(what.starts_with("in.osi: frame 12 at byte 4"));
}
