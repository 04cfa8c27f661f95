// SPDX-License-Identifier: MPL-2.0
// ZeroMQ's C functions, as far as this part calls them, from a libzmq that is loaded when the first one is called: for
// the programs of a wheel and of an archive, which must start where libzmq is missing.
#include <string>

#include <zmq.h>

#include <ositrace/error.hpp>

#include "lib/system/shared_library.hpp"

namespace ositrace::net {

namespace {

constexpr const char* zmq_library = "libzmq.so.5";

[[noreturn]] void refuse_zmq()
{
    throw Error(Cause::unsupported, "ZeroMQ needs " + std::string(zmq_library) +
                                        ": install libzmq5 (Debian, Ubuntu) or " +
                                        "zeromq (RHEL, Fedora), or use tcp:// (" + SharedLibrary::reason() + ")");
}

const SharedLibrary& zmq()
{
    static const SharedLibrary loaded(zmq_library);
    return loaded;
}

/// Throws Error; the first call creates a context, before anything that may not throw.
template <class Function>
Function zmq_function(const char* name)
{
    const auto function = zmq().find<Function>(name);
    if (function == nullptr) refuse_zmq();
    return function;
}

}  // namespace

}  // namespace ositrace::net

// NOLINTBEGIN: one line for each function, which has the name and the type that zmq.h declares.
#define FROM_LIBZMQ(result, name, parameters, arguments)                                    \
    result name parameters                                                                  \
    {                                                                                       \
        static const auto function = ositrace::net::zmq_function<decltype(&::name)>(#name); \
        return function arguments;                                                          \
    }

extern "C" {
FROM_LIBZMQ(int, zmq_bind, (void* socket, const char* address), (socket, address))
FROM_LIBZMQ(int, zmq_close, (void* socket), (socket))
FROM_LIBZMQ(int, zmq_connect, (void* socket, const char* address), (socket, address))
FROM_LIBZMQ(void*, zmq_ctx_new, (), ())
FROM_LIBZMQ(int, zmq_ctx_term, (void* context), (context))
FROM_LIBZMQ(int, zmq_errno, (), ())
FROM_LIBZMQ(int, zmq_getsockopt, (void* socket, int option, void* value, size_t* size), (socket, option, value, size))
FROM_LIBZMQ(int, zmq_msg_close, (zmq_msg_t * message), (message))
FROM_LIBZMQ(void*, zmq_msg_data, (zmq_msg_t * message), (message))
FROM_LIBZMQ(int, zmq_msg_init, (zmq_msg_t * message), (message))
FROM_LIBZMQ(int, zmq_msg_init_data, (zmq_msg_t * message, void* data, size_t size, zmq_free_fn* free, void* hint),
            (message, data, size, free, hint))
FROM_LIBZMQ(int, zmq_msg_init_size, (zmq_msg_t * message, size_t size), (message, size))
FROM_LIBZMQ(int, zmq_msg_more, (const zmq_msg_t* message), (message))
FROM_LIBZMQ(int, zmq_msg_recv, (zmq_msg_t * message, void* socket, int flags), (message, socket, flags))
FROM_LIBZMQ(int, zmq_msg_send, (zmq_msg_t * message, void* socket, int flags), (message, socket, flags))
FROM_LIBZMQ(size_t, zmq_msg_size, (const zmq_msg_t* message), (message))
FROM_LIBZMQ(int, zmq_poll, (zmq_pollitem_t * items, int count, long timeout), (items, count, timeout))
FROM_LIBZMQ(int, zmq_send, (void* socket, const void* data, size_t size, int flags), (socket, data, size, flags))
FROM_LIBZMQ(int, zmq_setsockopt, (void* socket, int option, const void* value, size_t size),
            (socket, option, value, size))
FROM_LIBZMQ(void*, zmq_socket, (void* context, int type), (context, type))
FROM_LIBZMQ(const char*, zmq_strerror, (int number), (number))
}
// NOLINTEND
