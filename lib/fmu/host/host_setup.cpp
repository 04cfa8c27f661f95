// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/host_setup.hpp"

#include <cstring>
#include <type_traits>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

/// Visits the members in one order for both directions, so that reading and writing cannot differ.
class Packer {
public:
    template <class T>
    void value(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void text(const std::string& text)
    {
        value(std::uint64_t{text.size()});
        bytes_ += text;
    }
    template <class T, class Each>
    void list(const std::vector<T>& list, Each&& each)
    {
        value(std::uint64_t{list.size()});
        for (const auto& item : list) each(*this, item);
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class Unpacker {
public:
    explicit Unpacker(Bytes bytes) : bytes_(bytes) {}
    template <class T>
    void value(T& value)
    {
        std::memcpy(&value, next(sizeof value).data(), sizeof value);
    }
    void text(std::string& text)
    {
        std::uint64_t size = 0;
        value(size);
        text = text_of(next(size));
    }
    template <class T, class Each>
    void list(std::vector<T>& list, Each&& each)
    {
        std::uint64_t size = 0;
        value(size);
        if (size > bytes_.size()) fail();
        list.resize(size);
        for (auto& item : list) each(*this, item);
    }

private:
    Bytes next(std::uint64_t count)
    {
        if (count > bytes_.size()) fail();
        const auto found = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return found;
    }
    [[noreturn]] static void fail() { throw Error(Cause::malformed, "the setup of the model ends too early"); }

    Bytes bytes_;
};

template <class Walker, class Setup>
void walk(Walker& walker, Setup& setup)
{
    walker.value(setup.fmi_version);
    walker.text(setup.library);
    walker.text(setup.resources);
    walker.text(setup.instance_name);
    walker.text(setup.token);
    walker.value(setup.start_time);
    walker.value(setup.verbose);
    walker.value(setup.max_message_bytes);
    walker.text(setup.scratch);
    const auto variable = [](auto& to, auto& parameter) {
        to.text(parameter.type);
        to.value(parameter.reference);
        to.value(parameter.real);
        to.value(parameter.integer);
        to.text(parameter.text);
    };
    walker.list(setup.parameters, variable);
    walker.list(setup.values, variable);
    walker.list(setup.binaries, [](auto& to, auto& binary) {
        to.text(binary.name);
        to.value(binary.use);
        to.value(binary.references);
    });
}

}  // namespace

std::string serialize(const HostSetup& setup)
{
    Packer packer;
    walk(packer, setup);
    return packer.take();
}

HostSetup read_host_setup(Bytes bytes)
{
    HostSetup setup;
    Unpacker unpacker(bytes);
    walk(unpacker, setup);
    return setup;
}

}  // namespace ositrace::fmu
