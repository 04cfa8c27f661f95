// SPDX-License-Identifier: MPL-2.0
// JSON as text, written and parsed by hand for this struct, as the published program does it: one printf() for all, and
// a search for each key.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "app/bench/structs/tree_codec.hpp"

namespace ositrace::bench {
namespace {

constexpr const char* map_format =
    R"({"version":{"dataType":%u,"result":%s,"master":%u,"second":%u,"step":%u},)"
    R"("sStatus":{"actl_mode":%u,"rollcount":%u,"cfgStatus":%u},"tStatus":{"noOfTarget":%u,"rollcount":%u},)"
    R"("tInfo":{"index":%u,"rcs":%.9g,"range":%.9g,"azimuth":%d,"vrel":%.9g,"rollCount":%u,"SNR":%d},"tInfoSize":%u})";
constexpr const char* array_format = "[[%u,%s,%u,%u,%u],[%u,%u,%u],[%u,%u],[%u,%.9g,%.9g,%d,%.9g,%u,%d],%u]";

[[noreturn]] void throw_no_number(const char* key)
{
    throw Error(Cause::malformed, std::string(key) + " is not a number or is out of range");
}

/// Reads the value that `text` begins with, and drops it.
template <class Field>
void take_value(std::string_view& text, const char* key, Field& value)
{
    const auto skip = [&](std::string_view word) {
        if (!text.starts_with(word)) return false;
        text.remove_prefix(word.size());
        return true;
    };
    if constexpr (std::is_same_v<Field, bool>) {
        value = skip("true");
        if (!value && !skip("false")) throw_missing(key);
    } else {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{}) throw_no_number(key);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
}

void take(std::string_view& text, char expected)
{
    if (text.empty() || text.front() != expected)
        throw Error(Cause::malformed, std::string("expected a '") + expected + "' before '" + std::string(text) + '\'');
    text.remove_prefix(1);
}

/// What follows `"key":`.
std::string_view after_key(std::string_view text, const char* name)
{
    const std::string_view key(name);
    for (auto at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const auto end = at + key.size();
        if (at > 0 && text[at - 1] == '"' && text.substr(end).starts_with("\":")) return text.substr(end + 2);
    }
    throw_missing(name);
}

void read_map(std::string_view text, SensorData& data)
{
    if (!text.ends_with('}')) throw Error(Cause::malformed, "expected a '}' at the end");
    const auto find = [](std::string_view in, const char* key, auto& value) {
        auto found = after_key(in, key);
        take_value(found, key, value);
    };
    for_each_part(
        data,
        [&](const char* key, std::size_t, auto&& visit) {
            const auto from = after_key(text, key);
            const auto part = from.substr(0, from.find('}'));
            visit([&](const char* name, auto& value) { find(part, name, value); });
        },
        [&](const char* key, auto& value) { find(text, key, value); });
}

void read_array(std::string_view text, SensorData& data)
{
    char before = '[';
    const auto next = [&](const char* key, auto& value) {
        take(text, before);
        take_value(text, key, value);
        before = ',';
    };
    for_each_part(
        data,
        [&](const char*, std::size_t, auto&& visit) {
            take(text, before);
            before = '[';
            visit(next);
            take(text, ']');
        },
        next);
    take(text, ']');
    if (!text.empty()) throw Error(Cause::malformed, "text after the end: '" + std::string(text) + '\'');
}

class StringCodec final : public StructCodec {
public:
    explicit StringCodec(Shape shape) noexcept : shape_(shape) {}

    std::size_t write(const SensorData& data, std::byte* to) override
    {
        const auto& version = data.version;
        const auto& status = data.status;
        const auto& target_status = data.target_status;
        const auto& target = data.target;
        const auto target_count = data.target_count;
        const auto print = [&](const char* format) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"  // one of the two above, which take the same values
            return std::snprintf(reinterpret_cast<char*>(to), max_bytes, format, version.data_type,
                                 version.result ? "true" : "false", version.master, version.second, version.step,
                                 status.mode, status.roll_count, status.configuration, target_status.targets,
                                 target_status.roll_count, target.index, double{target.cross_section},
                                 double{target.range}, target.azimuth, double{target.speed}, target.roll_count,
                                 target.noise_ratio, target_count);
#pragma GCC diagnostic pop
        };
        return static_cast<std::size_t>(print(shape_ == Shape::map ? map_format : array_format));
    }
    void read(Bytes bytes, SensorData& data) override
    {
        shape_ == Shape::map ? read_map(text_of(bytes), data) : read_array(text_of(bytes), data);
    }

private:
    Shape shape_;
};

}  // namespace

std::unique_ptr<StructCodec> string_codec(Shape shape) { return std::make_unique<StringCodec>(shape); }

}  // namespace ositrace::bench
