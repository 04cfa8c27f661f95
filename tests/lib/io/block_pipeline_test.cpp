// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_pipeline.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

using namespace ositrace;

namespace {

/// Appends an exclamation mark; refuses what is bad.
class Marking final : public BlockEncoder {
public:
    void encode(const GatheredBytes& block, ByteBuffer& out) override
    {
        out.clear();
        for (const auto part : block.parts()) out.append(part);
        if (text_of(out.bytes()) == "bad") throw std::runtime_error("refused");
        out.append(bytes_of("!"));
    }
};

std::unique_ptr<BlockEncoder> marking() { return std::make_unique<Marking>(); }

void add(BlockPipeline& pipeline, std::string_view text)
{
    pipeline.block().own().append(bytes_of(text));
    pipeline.hand_over();
}

}  // namespace

TEST_CASE("blocks are passed on in order, by however many threads")
{
    std::string passed, expected;
    BlockPipeline pipeline(
        marking, [&](const GatheredBytes&, const ByteBuffer& encoded) { passed += text_of(encoded.bytes()); },
        GENERATE(0u, 1u, 4u),
        {.slots = GENERATE(0u, 20u), .own_bytes = GENERATE(std::size_t{1}, BlockPipeline::enough_in_flight)});
    for (int i = 0; i != 200; ++i) {
        add(pipeline, std::to_string(i));
        expected += std::to_string(i) + '!';
        if (i % 7 == 0) pipeline.pass_on_encoded();
    }
    pipeline.drain();
    CHECK(passed == expected);
}

TEST_CASE("what follows the end is encoded all the same, by the filling thread")
{
    std::string passed, expected;
    BlockPipeline pipeline(marking,
                           [&](const GatheredBytes&, const ByteBuffer& encoded) { passed += text_of(encoded.bytes()); },
                           GENERATE(0u, 1u, 4u), {.slots = 20});
    const auto blocks = GENERATE(0, 1, 7);
    for (int i = 0; i != blocks; ++i) {
        add(pipeline, std::to_string(i));
        expected += std::to_string(i) + '!';
    }
    pipeline.block().own().append(bytes_of("not handed over"));
    pipeline.finish();
    expected += "not handed over!";
    CHECK(passed == expected);
    add(pipeline, "late");
    pipeline.finish();
    CHECK(passed == expected + "late!");
}

TEST_CASE("large blocks of one's own are encoded while the next one is filled")
{
    std::atomic<int> passed = 0;
    BlockPipeline pipeline(marking, [&](const GatheredBytes&, const ByteBuffer&) { ++passed; }, 1,
                           {.slots = 20, .own_bytes = 1});
    add(pipeline, "larger than one byte");
    CHECK(passed == 0);
    pipeline.drain();
    CHECK(passed == 1);
}

TEST_CASE("behind a block that could not be encoded none is passed on, whatever is tried")
{
    std::string passed;
    BlockPipeline pipeline(marking,
                           [&](const GatheredBytes&, const ByteBuffer& encoded) { passed += text_of(encoded.bytes()); },
                           GENERATE(0u, 2u), {});
    const auto fill = [&] {
        for (const auto* text : {"1", "bad", "2", "3"}) add(pipeline, text);
        pipeline.drain();
    };
    CHECK_THROWS_WITH(fill(), "refused");
    CHECK_THROWS_WITH(pipeline.drain(), "refused");
    CHECK_THROWS_WITH(pipeline.finish(), "refused");
    CHECK_THROWS_WITH(pipeline.pass_on_encoded(), "refused");
    CHECK_THROWS_WITH(pipeline.hand_over(), "refused");
    CHECK(passed == "1!");
}
