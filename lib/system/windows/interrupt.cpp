// SPDX-License-Identifier: MPL-2.0
#include "lib/system/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

/// The numbers of the signals that mean the same elsewhere.
constexpr int hangup = 1;

int request_of(DWORD event) noexcept
{
    switch (event) {
    case CTRL_C_EVENT: return SIGINT;
    case CTRL_BREAK_EVENT: return SIGTERM;
    default: return hangup;  // the window is closed, the user logs off, the machine is shut down
    }
}

/// What Windows, on a thread that it makes for each event, leaves for the one that waits.
class Mailbox {
public:
    Mailbox() : arrived_(own(::CreateEventW(nullptr, TRUE, FALSE, nullptr))) {}
    void put(int request) noexcept
    {
        request_ = request;
        ::SetEvent(handle_of(arrived_));
    }
    /// Waits for the next; 0 after end().
    int take() noexcept
    {
        for (;;) {
            ::WaitForSingleObject(handle_of(arrived_), INFINITE);
            ::ResetEvent(handle_of(arrived_));
            if (ended_) return 0;
            if (const int request = request_.exchange(0); request != 0) return request;
        }
    }
    void end() noexcept
    {
        ended_ = true;
        ::SetEvent(handle_of(arrived_));
    }
    [[nodiscard]] int last() const noexcept { return request_; }

private:
    FileHandle arrived_;
    std::atomic<int> request_ = 0;
    std::atomic<bool> ended_ = false;
};

std::mutex reader_mutex;
Mailbox* reader = nullptr;

BOOL WINAPI deliver(DWORD event)
{
    {
        const std::lock_guard lock(reader_mutex);
        if (reader == nullptr) return FALSE;
        reader->put(request_of(event));
    }
    if (request_of(event) == hangup) ::Sleep(INFINITE);  // Windows ends the process when this returns, or after 5 s
    return TRUE;
}

/// During its lifetime requests come into the mailbox.
class Delivery {
public:
    explicit Delivery(Mailbox& to) : before_(exchange(&to)) { ::SetConsoleCtrlHandler(deliver, TRUE); }
    Delivery(const Delivery&) = delete;
    Delivery& operator=(const Delivery&) = delete;
    ~Delivery()
    {
        ::SetConsoleCtrlHandler(deliver, FALSE);
        exchange(before_);
    }

private:
    static Mailbox* exchange(Mailbox* to)
    {
        const std::lock_guard lock(reader_mutex);
        return std::exchange(reader, to);
    }

    Mailbox* before_;
};

}  // namespace

class InterruptWatch::Implementation {
public:
    explicit Implementation(std::function<void(int)> on_request)
        : on_request_(std::move(on_request)), delivery_(mailbox_), watcher_([this] { watch(); })
    {
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation()
    {
        mailbox_.end();
        watcher_.join();
    }

private:
    void watch()
    {
        while (const int request = mailbox_.take()) on_request_(request);
    }

    std::function<void(int)> on_request_;
    Mailbox mailbox_;
    Delivery delivery_;
    std::thread watcher_;
};

InterruptWatch::InterruptWatch(std::function<void(int)> on_request)
    : implementation_(std::make_unique<Implementation>(std::move(on_request)))
{
}

InterruptWatch::~InterruptWatch() = default;

class HeldInterrupts::Implementation {
public:
    Implementation() : delivery_(std::make_unique<Delivery>(mailbox_)) {}
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation()
    {
        delivery_.reset();
        if (has_one()) end_as_interrupted(mailbox_.last());
    }
    [[nodiscard]] bool has_one() const { return mailbox_.last() != 0; }

private:
    Mailbox mailbox_;
    std::unique_ptr<Delivery> delivery_;
};

HeldInterrupts::HeldInterrupts() : implementation_(std::make_unique<Implementation>()) {}
HeldInterrupts::~HeldInterrupts() = default;
bool HeldInterrupts::has_one() const { return implementation_->has_one(); }

void interrupt_this_process() noexcept
{
    if (deliver(CTRL_C_EVENT) == FALSE) end_as_interrupted(SIGINT);
}

void end_as_interrupted(int)
{
    // Without the destructors of other threads' objects.
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(STATUS_CONTROL_C_EXIT));
    std::abort();
}

}  // namespace ositrace
