#!/bin/bash

__countersign_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__countersign_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__countersign_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__countersign_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_countersign() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    enroll|connections|rename|reconnect|revoke|pending|show|approve|deny|act|watch|window|consents|history|agent|unlock|lock|status|login|sessions|token|header|logout|sites|helper|requests|allow|refuse|grants|pin|open|doctor|help)
        # Offer subcommand argument completions
        "_countersign_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'enroll connections rename reconnect revoke pending show approve deny act watch window consents history agent unlock lock status login sessions token header logout sites helper requests allow refuse grants pin open doctor help' -- "${cur}"))
        ;;
    esac
}

_countersign_enroll() {
    repeating_flags=()
    non_repeating_flags=(--no-browser --yes -y --clipboard --screen --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--callback --timeout --image --name --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--callback')
        __countersign_add_completions -W 'loopback'$'\n''scheme'$'\n''paste'
        return
        ;;
    '--timeout')
        return
        ;;
    '--image')
        __countersign_add_completions -f
        return
        ;;
    '--name')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_connections() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_rename() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion rename -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_reconnect() {
    repeating_flags=()
    non_repeating_flags=(--no-browser --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--callback --timeout --pin-file --home --ca-file)
    __countersign_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--callback')
        __countersign_add_completions -W 'loopback'$'\n''scheme'$'\n''paste'
        return
        ;;
    '--timeout')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion reconnect -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_revoke() {
    repeating_flags=()
    non_repeating_flags=(--local-only --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion revoke -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_pending() {
    repeating_flags=()
    non_repeating_flags=(--strict --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--connection --pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion pending -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_show() {
    repeating_flags=()
    non_repeating_flags=(--source --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--connection --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion show -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion show -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_approve() {
    repeating_flags=()
    non_repeating_flags=(--no-wait --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--connection --fingerprint --geolocation --option --pin-file --home --ca-file)
    __countersign_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion approve -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--fingerprint')
        return
        ;;
    '--geolocation')
        return
        ;;
    '--option')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion approve -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_deny() {
    repeating_flags=()
    non_repeating_flags=(--no-wait --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--connection --fingerprint --geolocation --reason --all --pin-file --home --ca-file)
    __countersign_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion deny -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--fingerprint')
        return
        ;;
    '--geolocation')
        return
        ;;
    '--reason')
        __countersign_add_completions -W 'not-me'$'\n''cancelled'
        return
        ;;
    '--all')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion deny -- --all "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion deny -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_act() {
    repeating_flags=()
    non_repeating_flags=(--clipboard --screen --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--image --connection --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--image')
        __countersign_add_completions -f
        return
        ;;
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion act -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_watch() {
    repeating_flags=()
    non_repeating_flags=(--once --no-bell --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--geolocation --pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--geolocation')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_window() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion window -- positional@0 "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_countersign_consents() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|revoke)
        # Offer subcommand argument completions
        "_countersign_consents_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list revoke' -- "${cur}"))
        ;;
    esac
}

_countersign_consents_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--connection --pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion consents list -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_consents_revoke() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_history() {
    repeating_flags=()
    non_repeating_flags=(--sessions --verify --accept-log --source --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--connection --since --limit --pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--connection')
        __countersign_add_completions -W "$(__countersign_custom_complete ---completion history -- --connection "${COMP_CWORD}" "$(__countersign_cursor_index_in_current_word)")"
        return
        ;;
    '--since')
        return
        ;;
    '--limit')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_agent() {
    repeating_flags=()
    non_repeating_flags=(--daemonize --stop --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_unlock() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_lock() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_status() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_login() {
    repeating_flags=()
    non_repeating_flags=(--offline --fresh --keep --no-keep --device --no-browser --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=(--scope --resource --prompt --acr --parameter)
    non_repeating_options=(--from --issuer --name --client-id --client-secret-file --redirect-uri --account --max-age --until --callback --timeout --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--from')
        __countersign_add_completions -f
        return
        ;;
    '--issuer')
        return
        ;;
    '--name')
        return
        ;;
    '--client-id')
        return
        ;;
    '--client-secret-file')
        __countersign_add_completions -f
        return
        ;;
    '--redirect-uri')
        return
        ;;
    '--scope')
        return
        ;;
    '--resource')
        return
        ;;
    '--account')
        return
        ;;
    '--prompt')
        __countersign_add_completions -W 'consent'$'\n''select_account'
        return
        ;;
    '--max-age')
        return
        ;;
    '--acr')
        return
        ;;
    '--parameter')
        return
        ;;
    '--until')
        return
        ;;
    '--callback')
        __countersign_add_completions -W 'loopback'$'\n''scheme'$'\n''paste'
        return
        ;;
    '--timeout')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sessions() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|rename|set)
        # Offer subcommand argument completions
        "_countersign_sessions_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show rename set' -- "${cur}"))
        ;;
    esac
}

_countersign_sessions_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sessions_show() {
    repeating_flags=()
    non_repeating_flags=(--refresh --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sessions_rename() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sessions_set() {
    repeating_flags=()
    non_repeating_flags=(--keep --no-keep --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--until --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--until')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_token() {
    repeating_flags=()
    non_repeating_flags=(--id-token --header --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=(--scope --resource)
    non_repeating_options=(--min-ttl --rejected --wait --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--scope')
        return
        ;;
    '--resource')
        return
        ;;
    '--min-ttl')
        return
        ;;
    '--rejected')
        return
        ;;
    '--wait')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_header() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--method --challenge --min-ttl --rejected --wait --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--method')
        return
        ;;
    '--challenge')
        return
        ;;
    '--min-ttl')
        return
        ;;
    '--rejected')
        return
        ;;
    '--wait')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_logout() {
    repeating_flags=()
    non_repeating_flags=(--all --browser --no-browser --local-only --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sites() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|remove|match|check)
        # Offer subcommand argument completions
        "_countersign_sites_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add remove match check' -- "${cur}"))
        ;;
    esac
}

_countersign_sites_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sites_add() {
    repeating_flags=()
    non_repeating_flags=(--on-challenge --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=(--scope)
    non_repeating_options=(--session --resource --realm --username --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--session')
        return
        ;;
    '--scope')
        return
        ;;
    '--resource')
        return
        ;;
    '--realm')
        return
        ;;
    '--username')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sites_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sites_match() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--challenge --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--challenge')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_sites_check() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_helper() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    git|kubernetes)
        # Offer subcommand argument completions
        "_countersign_helper_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'git kubernetes' -- "${cur}"))
        ;;
    esac
}

_countersign_helper_git() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_helper_kubernetes() {
    repeating_flags=()
    non_repeating_flags=(--id-token --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--session --resource --pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--session')
        return
        ;;
    '--resource')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_requests() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_allow() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--session --when --for --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--session')
        return
        ;;
    '--when')
        __countersign_add_completions -W 'open'$'\n''unlocked'$'\n''asked'
        return
        ;;
    '--for')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_refuse() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_grants() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|revoke)
        # Offer subcommand argument completions
        "_countersign_grants_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add revoke' -- "${cur}"))
        ;;
    esac
}

_countersign_grants_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_grants_add() {
    repeating_flags=()
    non_repeating_flags=(--id-token --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=(--scope --resource)
    non_repeating_options=(--session --when --for --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--session')
        return
        ;;
    '--scope')
        return
        ;;
    '--resource')
        return
        ;;
    '--when')
        __countersign_add_completions -W 'open'$'\n''unlocked'$'\n''asked'
        return
        ;;
    '--for')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_grants_revoke() {
    repeating_flags=()
    non_repeating_flags=(--cut --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_pin() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    set|change|reset|status)
        # Offer subcommand argument completions
        "_countersign_pin_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'set change reset status' -- "${cur}"))
        ;;
    esac
}

_countersign_pin_set() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_pin_change() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_pin_reset() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_pin_status() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_open() {
    repeating_flags=()
    non_repeating_flags=(--no-browser --yes -y --json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--callback --timeout --pin-file --home --ca-file)
    __countersign_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--callback')
        __countersign_add_completions -W 'loopback'$'\n''scheme'$'\n''paste'
        return
        ;;
    '--timeout')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --no-input --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--issuer --pin-file --home --ca-file)
    __countersign_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--issuer')
        return
        ;;
    '--pin-file')
        __countersign_add_completions -f
        return
        ;;
    '--home')
        __countersign_add_completions -d
        return
        ;;
    '--ca-file')
        __countersign_add_completions -f
        return
        ;;
    esac
}

_countersign_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __countersign_offer_flags_options -1
}

complete -o filenames -F _countersign countersign

# bash splits words at colons (COMP_WORDBREAKS), and with them references such as fernbank:77. Here their parts are put
# together again for the functions above, and what stands before the last colon is taken off what they offer.
_countersign_whole_words() {
    local -a whole=()
    local -i index
    local word rest="${COMP_LINE}" blank before=''
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word="${COMP_WORDS[index]}"
        blank="${rest%%[![:space:]]*}"
        rest="${rest#"${blank}"}"
        rest="${rest#"${word}"}"
        # Of the last one, what stands before the cursor.
        [[ "${index}" -lt "${COMP_CWORD}" || "${word}" == : ]] || word="${2}"
        if [[ -z "${blank}" && "${#whole[@]}" -gt 0 && ("${word}" == :* || "${before}" == *:) ]]; then
            whole[-1]+="${word}"
        else
            whole+=("${word}")
        fi
        before="${word}"
    done

    local -r COMP_LINE="${COMP_LINE:0:COMP_POINT}"
    local -r -i COMP_POINT="${#COMP_LINE}" COMP_CWORD="$((${#whole[@]} - 1))"
    local -r -a COMP_WORDS=("${whole[@]}")
    local -r current="${whole[-1]}" previous="${whole[-2]}"
    _countersign "${1}" "${current}" "${previous}"

    local -r cut="${current%"${current##*:}"}"
    [[ "${COMP_WORDBREAKS}" == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${cut}"}")
    case "${previous}" in
    --home | --pin-file | --ca-file | --image) compopt -o filenames ;;
    esac
}

complete -F _countersign_whole_words countersign
