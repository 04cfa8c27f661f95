# SPDX-License-Identifier: MPL-2.0
# Converts our FlatBuffers schema to a layout of the opponents: a namespace of its own, so that several can be
# linked into one program; plain defaults, as `flatc --proto` generated for the study; small messages as structs.
# usage: cmake -DIN=OURS.fbs -DOUT=THEIRS.fbs -DNAMESPACE=osi3_declared [-DPLAIN_DEFAULTS=ON] [-DSTRUCTS=ON]
#        -P flat_schema.cmake

file(READ "${IN}" schema)
string(REGEX REPLACE "[ ]*//[^\n]*\n" "" schema "${schema}")
string(REPLACE "namespace osi3_flat;" "namespace ${NAMESPACE};" schema "${schema}")
if(PLAIN_DEFAULTS)
    string(REPLACE " = null" "" schema "${schema}")
endif()
if(STRUCTS)
    foreach(name IN ITEMS Vector3d Dimension3d Orientation3d Spherical3d Identifier Timestamp
        LidarSensorView_Reflection)
        string(REGEX REPLACE "table ${name} {" "struct ${name} {" schema "${schema}")
    endforeach()
    # 24 bytes per reflection, as in the study: 829 440 reflections had 20 MB.
    string(REGEX REPLACE "(struct LidarSensorView_Reflection {[^}]*doppler_shift:double;\n)[^}]*}" "\\1}"
        schema "${schema}")
endif()
file(WRITE "${OUT}" "${schema}")
