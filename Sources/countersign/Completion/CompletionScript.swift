import ArgumentParser

/// The completion script for bash: the parser's own, and an addition for words with a colon.
enum CompletionScript {
    /// The script for `program`, if these arguments request it; otherwise nil.
    static func asked(by arguments: some Collection<String>, of program: any ParsableCommand.Type) -> String? {
        guard Array(arguments) == ["--generate-completion-script", "bash"] else { return nil }
        return program.completionScript(for: .bash) + wholeWords
    }

    private static let wholeWords = """


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

        """
}
