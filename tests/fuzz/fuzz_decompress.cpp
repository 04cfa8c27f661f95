// SPDX-License-Identifier: MPL-2.0
// Every decompressor on anything: the result does not depend on how the input comes in, and never is more than what was
// asked for. Of damaged data at least as much comes out, and of whole data the same. Input: the file, then choices:
// decompressor, piece.
#include <memory>

#include "lib/io/damaged_compression.hpp"
#include "lib/io/decompressor.hpp"
#include "tests/fuzz/memory_file.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

struct Unpacked {
    std::string bytes;
    std::string error;
};

Unpacked unpack(const DecompressorRow& row, Bytes in, std::size_t piece, std::size_t room)
{
    Unpacked result;
    const auto source = decompressed(row, std::make_unique<MemorySource>(in, piece));
    const auto buffer = std::make_unique<std::byte[]>(room);
    result.error = attempt([&] {
                       while (result.bytes.size() < most_bytes) {
                           const auto count = source->read({buffer.get(), room}, {});
                           if (count == 0) break;
                           result.bytes += text_of({buffer.get(), count});
                       }
                       return "";
                   }).error;
    return result;
}

/// Of a damaged file what still comes out; `error`: there was damage.
Unpacked salvage(const DecompressorRow& row, Bytes in, std::size_t room)
{
    Unpacked result;
    const auto log = std::make_shared<CompressionLog>();
    DamagedCompression source(row, in_memory(in, "fuzz"), log);
    const auto buffer = std::make_unique<std::byte[]>(room);
    while (result.bytes.size() < most_bytes) {
        const auto count = source.read({buffer.get(), room}, {});
        if (count == 0) break;
        result.bytes += text_of({buffer.get(), count});
    }
    std::uint64_t last = 0;
    for (const auto& damage : log->take().damages) {
        check(damage.offset >= last && damage.offset + damage.bytes <= in.size(),
              "damage is in the file, one place after the other");
        check(damage.from <= damage.to, "what is unproven came out");
        last = damage.offset;
        result.error = damage.error.reason();
    }
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto choice = input.choose(decompressors().size() + 1);
    const auto piece = 1 + input.choose(255);
    const auto in = input.rest();
    const auto* const row = choice < decompressors().size()
                                ? &decompressors()[choice]
                                : decompressor_of(in.first(std::min(in.size(), probed_compression_bytes)));
    if (row == nullptr) return 0;

    const auto whole = unpack(*row, in, in.size(), most_bytes);
    const auto pieces = unpack(*row, in, piece, piece * 17);
    const auto common = std::min(whole.bytes.size(), pieces.bytes.size());
    check(whole.bytes.compare(0, common, pieces.bytes, 0, common) == 0, "the result does not depend on the pieces");
    const bool cut = whole.bytes.size() >= most_bytes || pieces.bytes.size() >= most_bytes;
    if (!cut)
        check(whole.error.empty() == pieces.error.empty(), "success does not depend on the pieces",
              whole.error + "\n" + pieces.error);
    if (!cut && whole.error.empty())
        check(whole.bytes == pieces.bytes, "the whole result does not depend on the pieces");
    const auto saved = salvage(*row, in, piece * 17);
    if (saved.bytes.size() >= most_bytes || cut) return 0;
    // liblzma finds a block that ends too soon when the room is full, before it hands out the rest of the block: how
    // much came out depends on the room and on the pieces.
    const bool by_room = row->compression == "xz" && pieces.bytes.starts_with(saved.bytes);
    check(by_room || saved.bytes.starts_with(pieces.bytes), "what comes out in front of an error is saved");
    check(pieces.error.empty() == saved.error.empty(), "damage is an error, and an error damage",
          pieces.error + "\n" + saved.error);
    return 0;
}
