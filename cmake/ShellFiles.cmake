# SPDX-License-Identifier: MPL-2.0
# usage: ositrace_shell_files(PROGRAM)
# Installs the man page of a program and its completions for bash and zsh, which it prints: they have the options that it
# reads.

function(ositrace_shell_files program)
    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
        return()
    endif()
    set(folder "${PROJECT_BINARY_DIR}/shell")
    file(MAKE_DIRECTORY "${folder}")
    set(files)
    foreach(kind IN ITEMS man bash zsh)
        set(file "${folder}/${program}.${kind}")
        add_custom_command(OUTPUT "${file}"
            COMMAND sh -c "\"$0\" help --${kind} >\"$1\"" $<TARGET_FILE:${program}> "${file}"
            DEPENDS ${program}
            VERBATIM)
        list(APPEND files "${file}")
    endforeach()
    add_custom_target(${program}_shell_files ALL DEPENDS ${files})
    install(FILES "${folder}/${program}.man" RENAME ${program}.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${folder}/${program}.bash" RENAME ${program}
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${folder}/${program}.zsh" RENAME _${program}
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endfunction()
