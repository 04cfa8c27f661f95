// SPDX-License-Identifier: MPL-2.0
// MessageView over anything in either encoding: walks end, hand out what they found, and agree with the transcoder on
// what is broken. Input: payload, then choices: encoding, layout, root.
#include <ositrace/message_check.hpp>
#include <ositrace/message_view.hpp>

#include "tests/fuzz/conversion.hpp"
#include "tests/fuzz/message_mutator.hpp"
#include "tests/fuzz/roots.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr int max_values = 50'000;

/// Looks at every value of a message, up to a number of them.
class Walk {
public:
    void message(const MessageView& view)
    {
        unknown_ += view.unknown_fields();
        view.for_each_field([&](const FieldRow& field) {
            check(view.has(field), "a field that is listed is there");
            if (field.repeated)
                elements(view, field);
            else
                singular(view, field);
            return left_ > 0;
        });
    }
    /// False when there was more to see.
    [[nodiscard]] bool complete() const noexcept { return left_ > 0; }
    [[nodiscard]] std::uint64_t unknown() const noexcept { return unknown_; }

private:
    void elements(const MessageView& view, const FieldRow& field)
    {
        const auto all = view.repeated(field);
        check(all.size() != 0, "a repeated field that is there has elements");
        std::size_t count = 0;
        for (std::size_t i = 0; i != all.size() && left_ > 0; ++i) value(all[i]);
        view.for_each_element(field, [&](const Value&) { return ++count < all.size(); });
        check(count == all.size(), "as many elements in order as by index");
    }

    void singular(const MessageView& view, const FieldRow& field)
    {
        const auto found = view.get(field);
        check(!std::holds_alternative<std::monostate>(found), "a field that is there has a value");
        check(view.integer(field.number).has_value() == std::holds_alternative<bool>(found) || as_integer(found),
              "numbers are as their values");
        value(found);
    }

    void value(const Value& found)
    {
        --left_;
        if (const auto* const text = std::get_if<std::string_view>(&found))
            touch(bytes_of(*text));
        else if (const auto* const bytes = std::get_if<Bytes>(&found))
            touch(*bytes);
        else if (const auto* const child = std::get_if<MessageView>(&found))
            message(*child);
    }

    /// A sanitizer sees the ends.
    void touch(Bytes bytes)
    {
        if (!bytes.empty()) touched_ = std::to_integer<unsigned>(bytes.front() ^ bytes.back());
    }

    int left_ = max_values;
    std::uint64_t unknown_ = 0;
    volatile unsigned touched_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto& root = choose_root(input);
    const auto layout = input.choose() ? Layout::declared : Layout::numbered;
    const Format protobuf{};
    const Format flat{Encoding::flatbuffers, layout};
    const bool is_flat = input.choose();
    const auto in = input.rest();

    Walk walk;
    const auto walked = attempt([&] {
        walk.message(MessageView(in, root, is_flat ? flat : protobuf));
        return "";
    });
    Conversion conversion(root, is_flat ? flat : protobuf, is_flat ? protobuf : flat, false, std::size_t{16} << 20);
    const auto converted = conversion(in);
    // What a view does not look at: how large the other form is, and what the buffer says it is.
    for (const auto* const apart : {"form exceeds the limit", "file identifier"})
        if (converted.error.find(apart) != std::string::npos) return 0;
    if (walked.done() && walk.complete())
        check(converted.done(), "what can be walked can be converted", converted.error);
    const auto checked = attempt([&] {
        check_structure(in, root, is_flat ? flat : protobuf);
        return "";
    });
    if (!converted.done()) return 0;
    const bool whole = checked.done() || checked.error.find("no field of ") != std::string::npos;
    check(whole, "what can be converted has a whole structure", checked.error);
    check(walked.done(), "what can be converted can be walked", walked.error);
    if (walk.complete())
        check(walk.unknown() == conversion.dropped(), "view and transcoder count unknown fields alike");
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed)
{
    return mutate_message(data, size, max_size, seed, 3);
}
