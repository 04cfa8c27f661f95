// SPDX-License-Identifier: MPL-2.0
// Tables of anything in either encoding: an error or a batch that breaks no rule of Arrow; and elements of a shape that
// was learned are read as they were before. Input: payload, then choices: encoding, layout, root.
#include <map>

#include <ositrace/table.hpp>

#include "tests/fuzz/message_mutator.hpp"
#include "tests/fuzz/roots.hpp"
#include "tests/lib/table/arrow_batch.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr std::size_t most_bytes = std::size_t{32} << 20;

const TablePlan& plan_of(const MessageTable& root)
{
    static std::map<const MessageTable*, TablePlan> plans;
    const auto known = plans.find(&root);
    return known != plans.end() ? known->second
                                : plans.emplace(&root, TablePlan::all_columns(nullptr, root)).first->second;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto& root = choose_root(input);
    const auto layout = input.choose() ? Layout::declared : Layout::numbered;
    const bool is_flat = input.choose();
    const Format format = is_flat ? Format{Encoding::flatbuffers, layout} : Format{};
    Frame frame;
    frame.bytes = input.rest();

    const auto& plan = plan_of(root);
    TableBuilder builder(plan, format, most_bytes);
    const auto add = [&] {
        return attempt([&] {
            builder.add(frame);
            return "";
        });
    };
    const auto first = add();
    const auto second = add();
    const bool full = first.error.find("batch") != std::string::npos || second.error.find("batch") != std::string::npos;
    if (full) return 0;
    check(first.error == second.error, "an error comes again", second.error);
    check(builder.frames() == (first.done() ? 2 : 0), "a broken frame leaves no row");
    attempt([&] {
        const arrow_test::Batch batch(plan, builder);
        check(batch.broken().empty(), "a batch follows the rules of Arrow", batch.broken());
        for (std::size_t i = 0; batch.rows() == 2 && i != batch.names().size(); ++i)
            check(batch.value(i, 0) == batch.value(i, 1), "a known shape is read alike", batch.names()[i]);
        return "";
    });
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed)
{
    return mutate_message(data, size, max_size, seed, 3);
}
