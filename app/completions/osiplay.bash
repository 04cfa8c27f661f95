# SPDX-License-Identifier: MPL-2.0
# bash completion for osiplay

_osiplay()
{
    local words prev=${COMP_WORDS[COMP_CWORD - 1]} cur=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()

    if [ "${COMP_WORDS[1]}" = bench ]; then
        case $prev in
            bench) words="all columns convert cosim python replay size structs" ;;
            --html | --schema | --compare | --python) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
            --scratch | --logs) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
            --repetitions | --frames | --topic | --threads | --spoil | --reflections | --objects | --steps | --max-message) return ;;
        esac
        if [ -z "$words" ] && [[ $cur == -* ]]; then
            words="--help --quiet --verbose --quick --repetitions --json --html --compare --rays --reflections --objects --steps --logs --python --frames --topic --threads --scratch --spoil --type
                --input-encoding --layout --schema --max-message"
        fi
    fi
    case $prev in
        --sink) words="null dummy fmu: record: zmq+push:// zmq+pub:// tcp:// udp:// foxglove://"; compopt -o nospace ;;
        --type) words="sv svc gt hvd sd tc tcu tu mr su" ;;
        --fail-on) words="lost late=" ;;
        --input-encoding) words="protobuf flatbuffers" ;;
        --layout) words="numbered declared" ;;
        --late) words="deliver drop" ;;
        --static) words="carry drop" ;;
        --time-tolerance) words="half-step" ;;
        --rate) words="1 max" ;;
        --set | --connect | --timeout | --step-size | --start-time | --time | --loop | --topic | --max-message) return ;;
        --log | --schema) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    esac
    if [ -z "$words" ] && [[ $cur == -* && ${COMP_WORDS[1]} != bench ]]; then
        words="--help --version --quiet --verbose --sink --set --connect --in-process --timeout --rate --late --fail-on --step-size --start-time
            --time --time-tolerance --loop --topic --static --pause --follow --skip-bad-frames --log --report --json --overwrite --type --input-encoding --layout --schema
            --max-message"
    fi
    if [ "$COMP_CWORD" = 1 ] && [[ bench == "$cur"* || help == "$cur"* ]]; then
        words="bench help $(compgen -f -- "$cur" | tr '\n' ' ')"
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

complete -o filenames -F _osiplay osiplay
