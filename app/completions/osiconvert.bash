# SPDX-License-Identifier: MPL-2.0
# bash completion for osiconvert

_osiconvert()
{
    local words prev=${COMP_WORDS[COMP_CWORD - 1]} cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}
    local verbs="proto2flat flat2proto convert info stats cat check cut static schema generate concat wrap split rename recover diff catalog"
    COMPREPLY=()

    case $prev in
        --type) words="sv svc gt hvd sd tc tcu tu mr su" ;;
        --fail-on) words="error warning never" ;;
        --format) [ "$verb" = cat ] && words="jsonl text csv" || words="text json junit xqar" ;;
        --encoding | --input-encoding) words="protobuf flatbuffers" ;;
        --layout) words="numbered declared" ;;
        --compression) words="none lz4 zstd" ;;
        --to) words="mcap osi osi.zst osi.lz4 osifb osifb.zst osifb.lz4 txth jsonl" ;;
        --reflection-fields) words="2 3 5" ;;
        --static) words="carry drop" ;;
        --time-tolerance) words="half-step" ;;
        --level | --chunk-size | --rename | --meta | --time | --fields | --host | --sensor-id | --mounting | --every | --topic | --threads | --max-message | --frames | --period | --objects | --reflections | --seed) return ;;
        --out-dir) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        --attach | --schema | -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    esac
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi

    if [ "$COMP_CWORD" = 1 ]; then
        words="$verbs help --help --version"
    elif [ "$COMP_CWORD" = 2 ] && [ "$verb" = help ]; then
        words=$verbs
    elif [[ $cur == -* ]]; then
        words="--help --quiet --verbose"
        local transcode="--out-dir --resume --overwrite --verify --strict --skip-bad-frames --keep-empty --follow --layout --type --schema
            --max-message --threads --json"
        local container="--to --compression --level --chunk-size"
        local edit="$container --output --overwrite --input-encoding --layout --type --schema --max-message --threads --json"
        local batch="--out-dir --resume" selection="--time --time-tolerance --frames --topic"
        case $verb in
            stats) words+=" $selection --json --type --input-encoding --layout --schema --max-message" ;;
            cat) words+=" $selection --format --fields --type --input-encoding --layout --schema --max-message" ;;
            convert) words+=" $edit $batch --encoding --unpack-series --topic --rename --meta --attach --skip-bad-frames --keep-empty" ;;
            cut) words+=" $edit $batch $selection --every --static" ;;
            concat) words+=" $edit --retime" ;;
            wrap) words+=" $edit $batch --host --sensor-id --mounting" ;;
            split) words+=" $edit --out-dir --every-frames --every-seconds --every-bytes --channels --static" ;;
            rename) words+=" --apply --input-encoding --layout --type --schema --max-message --json" ;;
            diff) words+=" --tolerance --ignore --summary --list-frames --differences --time-tolerance --carry-static --input-encoding --layout --type --schema --max-message --json" ;;
            static) words+=" $edit $batch" ;;
            proto2flat | flat2proto) words+=" $transcode" ;;
            info) words+=" --full --json --type --input-encoding --layout --schema --max-message" ;;
            check) words+=" --fail-on --disable --rules --format --findings --list --json --type --input-encoding --layout --schema
                --max-message" ;;
            recover) words+=" --keep-empty $batch $container --output --overwrite --json --type --input-encoding --layout --schema --max-message" ;;
            catalog) words+=" --output --update --check --overwrite --threads --type --input-encoding --layout --schema --max-message" ;;
            schema) words+=" --list --fbs --bfbs --desc --proto --overwrite --type --layout" ;;
            generate) words+=" --frames --period --objects --reflections --reflection-fields --equal-reflections --seed
                --encoding --type --overwrite --threads --json" ;;
        esac
    elif [[ $verb == static && $COMP_CWORD == 2 ]]; then
        words="expand compact"
    elif [[ $verb == wrap && $COMP_CWORD == 2 ]]; then
        words="gt2sv sv2gt"
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -o filenames -F _osiconvert osiconvert
