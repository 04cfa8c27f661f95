// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/fmu_model.hpp>

#include "lib/fmu/line_reader.hpp"
#include "lib/fmu/model_runner.hpp"

namespace ositrace::fmu {

namespace {

void check_program()
{
    constexpr std::string_view advice = " (omit --in-process: the model then gets a process of its own)";
    if (::getauxval(AT_BASE) == 0)
        throw Error(Cause::unsupported,
                    "cannot be loaded in process: this program is linked statically" + std::string(advice));
    for (const char* const name : {"__asan_init", "__tsan_init", "__msan_init"})
        if (::dlsym(RTLD_DEFAULT, name) != nullptr)
            throw Error(Cause::unsupported,
                        "cannot be loaded in process: this program runs under a sanitizer" + std::string(advice));
}

/// As much as can be read of memory that may not be there: the kernel stops where we would crash.
std::size_t copy_readable(const void* from, std::size_t size, std::byte* to)
{
    std::size_t done = 0;
    while (done < size) {
        const iovec local{.iov_base = to + done, .iov_len = size - done};
        const iovec remote{.iov_base = const_cast<std::byte*>(static_cast<const std::byte*>(from)) + done,
                           .iov_len = size - done};
        const auto count = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
        if (count < 0 && (errno == ENOSYS || errno == EPERM))
            throw Error(Cause::unsupported,
                        "cannot be run in process: this machine forbids process_vm_readv (omit --in-process)");
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

/// Says that a model has called exit(), which would end this program with its code and without a word. Never destroyed:
/// exit handlers cannot be removed, and a process has few models.
struct ExitGuard {
    std::string name;
    OnLine on_program_end;

    static void run(int status, void* guard)
    {
        const auto& self = *static_cast<const ExitGuard*>(guard);
        if (self.on_program_end)
            self.on_program_end(self.name + " ended the program that it was loaded into (exit code " +
                                std::to_string(status) + "); without --in-process it has a process of its own");
        remove_fmu_folders();
        ::_exit(1);
    }
};

/// Standard output of the model, line by line as from a child.
class OutputPipe {
public:
    explicit OutputPipe(OnLine on_line)
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Error(Cause::io, std::string("cannot be loaded in process: pipe: ") + std::strerror(errno));
        write_ = FileHandle(ends[1]);
        lines_.emplace(FileHandle(ends[0]), std::move(on_line));
    }
    [[nodiscard]] int descriptor() const noexcept { return write_.get(); }

private:
    FileHandle write_;
    std::optional<LineReader> lines_;
};

class InProcessRunner final : public ModelRunner, private MessageExchange {
public:
    InProcessRunner(const HostSetup& setup, const OnLine& on_line, OnLine on_program_end)
        : slots_(setup.binaries.size()),
          output_(on_line),
          host_(setup, SharedLibrary::Where::own_namespace,
                [on_line](std::string_view line) {
                    if (on_line) on_line(line);
                },
                {output_.descriptor(), ExitGuard::run, new ExitGuard{setup.instance_name, std::move(on_program_end)}})
    {
    }

    void set_input(std::size_t binary, Bytes bytes) override
    {
        auto& slot = slots_[binary];
        if (!std::exchange(slot.set, true)) slot.turn ^= 1;
        slot.given = false;
        auto& copy = slot.copies[slot.turn];
        copy.clear();
        copy.append(bytes);
        slot.bytes = copy.bytes();
    }

    void run(Command command, StepTime time, std::chrono::milliseconds) override
    {
        for (auto& slot : slots_) slot.set = false;
        host_.execute(command, time, *this);
        for (auto& slot : slots_) slot.given = false;
    }
    void prepare() override { host_.set_inputs(*this); }
    Bytes output(std::size_t binary) const override { return slots_[binary].output.bytes(); }
    std::chrono::nanoseconds step_entered() const noexcept override { return step_entered_; }
    std::chrono::nanoseconds other_processor_time() const noexcept override { return {}; }
    std::uint64_t peak_process_bytes() const noexcept override { return 0; }

private:
    struct Slot {
        Bytes bytes;
        unsigned turn = 0;
        bool set = false;                  ///< since the last command
        bool given = false;                ///< to the model, since it was set
        std::array<ByteBuffer, 2> copies;  ///< of this step's message and the one before
        ByteBuffer output;
    };

    Bytes input(std::size_t binary) override { return slots_[binary].bytes; }
    bool is_set(std::size_t binary) const noexcept override { return slots_[binary].given; }
    void was_set(std::size_t binary) noexcept override { slots_[binary].given = true; }
    void no_output(std::size_t binary) override { slots_[binary].output.clear(); }
    std::size_t take_output(std::size_t binary, const void* data, std::size_t size) override
    {
        auto& output = slots_[binary].output;
        output.clear(size);
        const auto done = copy_readable(data, size, output.reserve_back(size));
        output.commit_back(done);
        return done;
    }
    void step_entered() override { step_entered_ = std::chrono::steady_clock::now().time_since_epoch(); }

    std::vector<Slot> slots_;
    std::chrono::nanoseconds step_entered_{};
    OutputPipe output_;
    ModelHost host_;  // last: what it prints goes to the pipe
};

}  // namespace

std::unique_ptr<ModelRunner> run_in_process(const HostSetup& setup, OnLine on_line, OnLine on_program_end)
{
    check_program();
    return std::make_unique<InProcessRunner>(setup, on_line, std::move(on_program_end));
}

}  // namespace ositrace::fmu
