# SPDX-License-Identifier: MPL-2.0
# Toolchain: compiles for 64-bit Windows on Debian, with g++-mingw-w64-x86-64-posix. packaging/windows/make.sh uses it.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# What is found is of the third-party folder of make.sh (CMAKE_FIND_ROOT_PATH); programs are of this machine.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The stack of 64-bit Windows is aligned to 16 bytes, which g++ forgets when it keeps a vector of 32 or 64 there (its bug
# 54412): the assembler makes every move one that needs no alignment.
#
# Where there is no futex, std::atomic::wait() and the semaphores of libstdc++ 12, one of which ends std::stop_callback,
# look at the value before they lock, and then sleep for ever. Its other semaphore is sound; nobody waits for an atomic.
set(CMAKE_CXX_FLAGS_INIT "-Wa,-muse-unaligned-vector-move -D_GLIBCXX_USE_POSIX_SEMAPHORE=1")

# No DLL of the compiler's: a program needs only what Windows has.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -static)
