// SPDX-License-Identifier: MPL-2.0
// The report of a stranger's checker: findings within the limits, or one Error.
#include <ositrace/check_report.hpp>

#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Input input(data, size);
    constexpr std::size_t most_findings = 100, most_text = 4096;
    attempt([&] {
        const auto report = parse_check_report(input.text(), {.most_findings = most_findings});
        check(report.findings.size() <= most_findings, "no more findings than the limit");
        for (const auto& each : report.findings)
            check(each.message.size() <= most_text && each.place.size() <= most_text, "texts are cut");
        return std::string();
    });
    return 0;
}
