// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/near_word.hpp"

#include "tests/catch.hpp"

using namespace ositrace;
using namespace ositrace::app;

TEST_CASE("a word that is misspelt is near the right one")
{
    const std::vector<std::string> known{"--overwrite", "--out-dir", "--time", "--type", "gt", "sv", "zstd"};
    const auto near = [&](std::string_view word) { return did_you_mean(word, known); };
    CHECK(near("--overwite") == " (did you mean '--overwrite'?)");
    CHECK(near("--outdir") == " (did you mean '--out-dir'?)");
    CHECK(near("--itme") == " (did you mean '--time'?)");
    CHECK(near("zst") == " (did you mean 'zstd'?)");
    CHECK(near("gt2") == " (did you mean 'gt'?)");
    for (const auto* far : {"", "x", "xy", "--frames", "mcap", "--unknown-option"}) CHECK(near(far).empty());
    CHECK(near(std::string(1'000'000, 'x')).empty());
}

TEST_CASE("an unknown word is an error with those that are known, and the nearest")
{
    CHECK(unknown_word("layout", "numberd", {"numbered", "declared"}).reason() ==
          "unknown layout 'numberd' (known: numbered, declared); did you mean 'numbered'?");
    CHECK(unknown_word("layout", "flat", {"numbered", "declared"}).reason() ==
          "unknown layout 'flat' (known: numbered, declared)");
}
