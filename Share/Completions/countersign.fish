function __countersign_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __countersign_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __countersign_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __countersign_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __countersign_parse_tokens -S
    set -l unparsed_tokens (__countersign_tokens -pc)
    switch $unparsed_tokens[1]
    case 'countersign'
        __countersign_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'enroll'
            __countersign_parse_subcommand 1 'callback=' 'no-browser' 'timeout=' 'y/yes' 'image=' 'clipboard' 'screen' 'name=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'connections'
            __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'rename'
            __countersign_parse_subcommand 2 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'reconnect'
            __countersign_parse_subcommand 2 'callback=' 'no-browser' 'timeout=' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'revoke'
            __countersign_parse_subcommand 1 'local-only' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'pending'
            __countersign_parse_subcommand 0 'connection=' 'strict' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'show'
            __countersign_parse_subcommand 1 'connection=' 'source' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'approve'
            __countersign_parse_subcommand -r 1 'connection=' 'fingerprint=' 'geolocation=' 'no-wait' 'option=' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'deny'
            __countersign_parse_subcommand -r 1 'connection=' 'fingerprint=' 'geolocation=' 'no-wait' 'reason=' 'all=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'act'
            __countersign_parse_subcommand 1 'image=' 'clipboard' 'screen' 'connection=' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'watch'
            __countersign_parse_subcommand 0 'once' 'no-bell' 'geolocation=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'window'
            __countersign_parse_subcommand 1 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'consents'
            __countersign_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __countersign_parse_subcommand 0 'connection=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'revoke'
                __countersign_parse_subcommand 1 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            end
        case 'history'
            __countersign_parse_subcommand 0 'connection=' 'since=' 'limit=' 'sessions' 'verify' 'accept-log' 'source' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'agent'
            __countersign_parse_subcommand 0 'daemonize' 'stop' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'unlock'
            __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'lock'
            __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'status'
            __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'login'
            __countersign_parse_subcommand 1 'from=' 'issuer=' 'name=' 'client-id=' 'client-secret-file=' 'redirect-uri=' 'scope=+' 'resource=+' 'account=' 'offline' 'fresh' 'prompt=+' 'max-age=' 'acr=+' 'parameter=+' 'until=' 'keep' 'no-keep' 'callback=' 'device' 'no-browser' 'timeout=' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'sessions'
            __countersign_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'show'
                __countersign_parse_subcommand 1 'refresh' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'rename'
                __countersign_parse_subcommand 2 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'set'
                __countersign_parse_subcommand 1 'until=' 'keep' 'no-keep' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            end
        case 'token'
            __countersign_parse_subcommand 1 'scope=+' 'resource=+' 'id-token' 'header' 'min-ttl=' 'rejected=' 'wait=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'header'
            __countersign_parse_subcommand 1 'method=' 'challenge=' 'min-ttl=' 'rejected=' 'wait=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'logout'
            __countersign_parse_subcommand -r 1 'all' 'browser' 'no-browser' 'local-only' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'sites'
            __countersign_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'add'
                __countersign_parse_subcommand 1 'session=' 'scope=+' 'resource=' 'on-challenge' 'realm=' 'username=' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'remove'
                __countersign_parse_subcommand 1 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'match'
                __countersign_parse_subcommand 1 'challenge=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'check'
                __countersign_parse_subcommand 1 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            end
        case 'helper'
            __countersign_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'git'
                __countersign_parse_subcommand 1 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'kubernetes'
                __countersign_parse_subcommand 0 'session=' 'resource=' 'id-token' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            end
        case 'requests'
            __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'allow'
            __countersign_parse_subcommand 1 'session=' 'when=' 'for=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'refuse'
            __countersign_parse_subcommand 1 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'grants'
            __countersign_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'add'
                __countersign_parse_subcommand 1 'session=' 'scope=+' 'resource=+' 'id-token' 'when=' 'for=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'revoke'
                __countersign_parse_subcommand 1 'cut' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            end
        case 'pin'
            __countersign_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'set'
                __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'change'
                __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'reset'
                __countersign_parse_subcommand 0 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            case 'status'
                __countersign_parse_subcommand 0 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
            end
        case 'open'
            __countersign_parse_subcommand 1 'callback=' 'no-browser' 'timeout=' 'y/yes' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'doctor'
            __countersign_parse_subcommand 0 'issuer=' 'json' 'q/quiet' 'no-input' 'pin-file=' 'home=' 'ca-file=' 'verbose' 'version' 'h/help'
        case 'help'
            __countersign_parse_subcommand -r 1 'version'
        end
    end
end

function __countersign_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __countersign_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __countersign_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __countersign_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__countersign_tokens -p)
    if test -z "$(__countersign_tokens -t)"
        set -l index (count (__countersign_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'countersign' -f
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'enroll' -d 'Connect a bank with the link behind its QR code.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'connections' -d 'List connected banks.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'rename' -d 'Give a connection another name.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'reconnect' -d 'Connect a bank again with a new key; name and history stay.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'revoke' -d 'Disconnect: notify the bank, then destroy key, token and record here.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'pending' -d 'Ask the banks, and list the requests that wait for your decision.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'show' -d 'Show one authorization in full.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'approve' -d 'Approve a bank\'s request, after its card was shown.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'deny' -d 'Deny a bank\'s request.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'act' -d 'Claim an instant action: the code that a bank\'s page shows.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'watch' -d 'Poll the banks, show each request as it comes, and take your answer.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'window' -d 'Open the window, at a request if you name one.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'consents' -d 'List and revoke third parties\' access to your accounts.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'history' -d 'List your decisions, also at banks no longer connected, or the events of sessions.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'agent' -d 'Run in the background: poll the banks, announce requests, stay unlocked.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'unlock' -d 'Open the agent with the PIN, for five minutes without use.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'lock' -d 'Shut the agent: it forgets all keys and asks no bank until the PIN is entered.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'status' -d 'Show whether a PIN is set and an agent runs, and the tries left; never asks.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'login' -d 'Sign in at an OAuth or OpenID issuer, once for all programs.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'sessions' -d 'List where you are signed in; show, rename and change sessions.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'token' -d 'Print an access token of a session, and renew it if needed.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'header' -d 'Print the headers for a request to a service, with the token of its session.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'logout' -d 'Sign out: end the tokens at the issuer, then destroy the session here.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'sites' -d 'Bind services to the sessions whose tokens they get.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'helper' -d 'Give tokens to other programs by their own protocols.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'requests' -d 'List the programs that ask for tokens.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'allow' -d 'Allow a program the tokens that it asked for, with your PIN.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'refuse' -d 'Refuse a program the tokens that it asked for.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'grants' -d 'List, add and end the grants of programs.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'pin' -d 'Choose, change or reset the PIN.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'open' -d 'Open a link: connect a bank, or claim an instant action.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'doctor' -d 'Check this computer; exit code 1 if something is wrong.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" callback' -l 'callback' -d 'How the bank\'s page leads back: to this computer\'s loopback address, by the desktop\'s link handler, or by an address that you paste.' -rfka 'loopback scheme paste'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" no-browser' -l 'no-browser' -d 'Print the address of the bank\'s page instead of opening it.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" timeout' -l 'timeout' -d 'Minutes to wait for the bank\'s page.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" y yes' -l 'yes' -s 'y' -d 'Do not ask to confirm the bank\'s hosts.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" image' -l 'image' -d 'Read the QR code in this picture (PNG or JPEG); - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" clipboard' -l 'clipboard' -d 'Read the QR code or the link on the clipboard.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" screen' -l 'screen' -d 'Let the desktop take a screenshot, and read the QR code in it.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" name' -l 'name' -d 'The connection\'s name; by default, derived from the bank\'s.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign enroll" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign connections" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign rename" -eq 1' -fka '(__countersign_custom_completion ---completion rename -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign rename" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" callback' -l 'callback' -d 'How the bank\'s page leads back: to this computer\'s loopback address, by the desktop\'s link handler, or by an address that you paste.' -rfka 'loopback scheme paste'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" no-browser' -l 'no-browser' -d 'Print the address of the bank\'s page instead of opening it.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" timeout' -l 'timeout' -d 'Minutes to wait for the bank\'s page.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" y yes' -l 'yes' -s 'y' -d 'Do not ask to confirm the bank\'s hosts.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign reconnect" -eq 1' -fka '(__countersign_custom_completion ---completion reconnect -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign reconnect" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign revoke" -eq 1' -fka '(__countersign_custom_completion ---completion revoke -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" local-only' -l 'local-only' -d 'Destroy key, token and record here without notifying the bank.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" y yes' -l 'yes' -s 'y' -d 'Do not ask for confirmation.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" connection' -l 'connection' -d 'Only requests of this connection.' -rfka '(__countersign_custom_completion ---completion pending -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" strict' -l 'strict' -d 'Exit with the code of a bank that failed, even if others answered.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pending" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign show" -eq 1' -fka '(__countersign_custom_completion ---completion show -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" connection' -l 'connection' -d 'The connection to use for a link if several match.' -rfka '(__countersign_custom_completion ---completion show -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" source' -l 'source' -d 'Also print the decrypted plaintext, with control characters made visible.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign approve" -ge 1' -fka '(__countersign_custom_completion ---completion approve -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" connection' -l 'connection' -d 'The connection to use for a link if several match.' -rfka '(__countersign_custom_completion ---completion approve -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" fingerprint' -l 'fingerprint' -d 'Refuse unless the content has this fingerprint (16 digits or more).' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" geolocation' -l 'geolocation' -d 'Your position in decimal degrees, for banks that require it.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" no-wait' -l 'no-wait' -d 'Do not wait for the bank\'s final answer.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" option' -l 'option' -d 'The option to choose, if the login page shows one of several.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" y yes' -l 'yes' -s 'y' -d 'Go on without a question even if a wrong response may block the account.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign approve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign deny" -ge 1' -fka '(__countersign_custom_completion ---completion deny -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" connection' -l 'connection' -d 'The connection to use for a link if several match.' -rfka '(__countersign_custom_completion ---completion deny -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" fingerprint' -l 'fingerprint' -d 'Refuse unless the content has this fingerprint (16 digits or more).' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" geolocation' -l 'geolocation' -d 'Your position in decimal degrees, for banks that require it.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" no-wait' -l 'no-wait' -d 'Do not wait for the bank\'s final answer.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" reason' -l 'reason' -d 'The reason, if the bank takes one: somebody else began it, or you changed your mind.' -rfka 'not-me cancelled'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" all' -l 'all' -d 'Deny all requests of this connection, after one question.' -rfka '(__countersign_custom_completion ---completion deny -- --all (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign deny" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" image' -l 'image' -d 'Read the QR code in this picture (PNG or JPEG); - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" clipboard' -l 'clipboard' -d 'Read the QR code or the link on the clipboard.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" screen' -l 'screen' -d 'Let the desktop take a screenshot, and read the QR code in it.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" connection' -l 'connection' -d 'The connection to use if several match.' -rfka '(__countersign_custom_completion ---completion act -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" y yes' -l 'yes' -s 'y' -d 'Do not ask to confirm bank and connection.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign act" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" once' -l 'once' -d 'Show each card once, then end.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" no-bell' -l 'no-bell' -d 'Do not ring the terminal\'s bell when a request comes.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" geolocation' -l 'geolocation' -d 'Your position in decimal degrees, for banks that require it.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign window" -eq 1' -fka '(__countersign_custom_completion ---completion window -- positional@0 (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign window" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign consents" -eq 1' -fa 'list' -d 'List third parties that may read your accounts.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign consents" -eq 1' -fa 'revoke' -d 'End a third party\'s access.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" connection' -l 'connection' -d 'Only this connection.' -rfka '(__countersign_custom_completion ---completion consents list -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign consents revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" connection' -l 'connection' -d 'Only decisions at this connection.' -rfka '(__countersign_custom_completion ---completion history -- --connection (count (__countersign_tokens -pc)) (__countersign_tokens -tC))'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" since' -l 'since' -d 'Only entries since this date (2026-11-01), time (ISO 8601) or span (12h, 30d).' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" limit' -l 'limit' -d 'Only the newest n entries.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" sessions' -l 'sessions' -d 'List the events of sessions and of programs\' grants.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" verify' -l 'verify' -d 'Check that no entry of the log was edited, removed or reordered; exit code 1 if one was.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" accept-log' -l 'accept-log' -d 'Accept, with your PIN, a log that --verify finds broken, and verify it from there on.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" source' -l 'source' -d 'Also print the decrypted plaintext of each, with control characters made visible.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" daemonize' -l 'daemonize' -d 'Start in the background, and return when the agent is ready.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" stop' -l 'stop' -d 'End the agent of this home after its calls to banks, and wait for that.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign agent" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign unlock" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign lock" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" from' -l 'from' -d 'Read issuer, client and requests from this file; see countersign-sessions(7).' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" issuer' -l 'issuer' -d 'The issuer to use if a service names several.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" name' -l 'name' -d 'The session\'s name; by default, derived from the issuer\'s host.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" client-id' -l 'client-id' -d 'A client that you registered at the issuer.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" client-secret-file' -l 'client-secret-file' -d 'Read that client\'s secret from the first line of this file.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" redirect-uri' -l 'redirect-uri' -d 'The redirect address of that client; without a port, any port is used.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login"' -l 'scope' -d 'Ask for this scope; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login"' -l 'resource' -d 'Ask for tokens that are valid for this service; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" account' -l 'account' -d 'The account to sign in with, as a hint to the page.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" offline' -l 'offline' -d 'Ask for a session that can be renewed without you (offline_access).'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" fresh' -l 'fresh' -d 'Sign in anew, even if the issuer\'s page remembers you.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login"' -l 'prompt' -d 'A question that the issuer\'s page must ask: consent or select_account; may be repeated.' -rfka 'consent select_account'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" max-age' -l 'max-age' -d 'The greatest age of your sign-in at the issuer, in seconds.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login"' -l 'acr' -d 'Ask for this strength of sign-in (acr); may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login"' -l 'parameter' -d 'Add this parameter to requests, for an issuer that requires it; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" until' -l 'until' -d 'When to sign out: after a time such as 8h, at a time of day such as 18:00, or never.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" keep' -l 'keep' -d 'Stay signed in, even if the settings name a time or an event.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" no-keep' -l 'no-keep' -d 'Stay signed in, even if the settings name a time or an event.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" callback' -l 'callback' -d 'How the issuer\'s page leads back: to this computer\'s loopback address, by the desktop\'s link handler, or by an address that you paste. By default, as the client is registered.' -rfka 'loopback scheme paste'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" device' -l 'device' -d 'Show a code to enter on the issuer\'s page, on any computer.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" no-browser' -l 'no-browser' -d 'Print the address of the issuer\'s page instead of opening it.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" timeout' -l 'timeout' -d 'Minutes to wait for the issuer\'s page.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" y yes' -l 'yes' -s 'y' -d 'Do not ask to confirm the issuer\'s hosts.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sessions" -eq 1' -fa 'list' -d 'List where you are signed in.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sessions" -eq 1' -fa 'show' -d 'Show all details of a session except its secrets.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sessions" -eq 1' -fa 'rename' -d 'Give a session another name.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sessions" -eq 1' -fa 'set' -d 'Set when a session is signed out.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" refresh' -l 'refresh' -d 'Ask the issuer for your name and address now.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions rename" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" until' -l 'until' -d 'When to sign out: after a time such as 8h, at a time of day such as 18:00, or never.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" keep' -l 'keep' -d 'Stay signed in, even if the settings name a time or an event.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" no-keep' -l 'no-keep' -d 'Stay signed in, even if the settings name a time or an event.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" y yes' -l 'yes' -s 'y' -d 'Do not ask for confirmation.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sessions set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token"' -l 'scope' -d 'Ask for only this scope; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token"' -l 'resource' -d 'Ask for a token that is valid for this service only; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" id-token' -l 'id-token' -d 'Print the ID token, which names you, instead of an access token.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" header' -l 'header' -d 'Print the whole Authorization header.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" min-ttl' -l 'min-ttl' -d 'Renew the token if it is good for fewer seconds than this, as far as the issuer\'s tokens last. (default: 60, or half of a short life)' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" rejected' -l 'rejected' -d 'A token that the service rejected, by the first 16 digits of its SHA-256; - reads the token itself from standard input. If it is the current token, it is renewed once.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" wait' -l 'wait' -d 'Seconds to wait for you to allow the request of a program, at most 120.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign token" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" method' -l 'method' -d 'The request\'s method; bearer tokens do not depend on it.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" challenge' -l 'challenge' -d 'The WWW-Authenticate header of the service\'s answer, empty for a 401 without one; - reads it from standard input.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" min-ttl' -l 'min-ttl' -d 'Renew the token if it is good for fewer seconds than this, as far as the issuer\'s tokens last. (default: 60, or half of a short life)' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" rejected' -l 'rejected' -d 'A token that the service rejected, by the first 16 digits of its SHA-256; - reads the token itself from standard input. If it is the current token, it is renewed once.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" wait' -l 'wait' -d 'Seconds to wait for you to allow the request of a program, at most 120.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign header" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" all' -l 'all' -d 'Sign out of all sessions except those with --keep.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" browser' -l 'browser' -d 'Also sign the browser out at the issuer; the default on a terminal.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" no-browser' -l 'no-browser' -d 'Also sign the browser out at the issuer; the default on a terminal.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" local-only' -l 'local-only' -d 'Destroy the session here without notifying the issuer.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" y yes' -l 'yes' -s 'y' -d 'Do not ask for confirmation.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign logout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sites" -eq 1' -fa 'list' -d 'List the sites.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sites" -eq 1' -fa 'add' -d 'Send a session\'s tokens to a service.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sites" -eq 1' -fa 'remove' -d 'Send no more tokens to a service.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sites" -eq 1' -fa 'match' -d 'Show which site fits a request, and why the others do not.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign sites" -eq 1' -fa 'check' -d 'Check sites against the metadata of their services.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" session' -l 'session' -d 'The session\'s name; not needed if there is only one session.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add"' -l 'scope' -d 'Ask for this scope, in addition to the scopes of a challenge; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" resource' -l 'resource' -d 'Ask for tokens that are valid for this service only.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" on-challenge' -l 'on-challenge' -d 'Only for requests that the service answers with a challenge.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" realm' -l 'realm' -d 'Only for challenges of this realm.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" username' -l 'username' -d 'The user name if git sends the token as a password.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" y yes' -l 'yes' -s 'y' -d 'Do not ask if the service has no metadata.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" challenge' -l 'challenge' -d 'The WWW-Authenticate header of the service\'s answer, empty for a 401 without one; - reads it from standard input.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites match" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign sites check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign helper" -eq 1' -fa 'git' -d 'Act as a credential helper for git.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign helper" -eq 1' -fa 'kubernetes' -d 'Act as a credential plugin for kubectl and other Kubernetes clients.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper git" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" session' -l 'session' -d 'The session whose token to print.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" resource' -l 'resource' -d 'Ask for a token that is valid for this service only.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" id-token' -l 'id-token' -d 'Print the ID token instead of an access token.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign helper kubernetes" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign requests" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" session' -l 'session' -d 'The session whose tokens it may have, if requests lists several.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" when' -l 'when' -d 'When the program gets tokens: open (while you are here), unlocked (also in your absence, until the agent is locked) or asked (with the PIN each time).' -rfka 'open unlocked asked'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" for' -l 'for' -d 'How long the grant lasts, such as 8h or 30d; by default until it is revoked.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign allow" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" y yes' -l 'yes' -s 'y' -d 'Do not ask for confirmation.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign refuse" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign grants" -eq 1' -fa 'list' -d 'List which programs may have tokens of which sessions.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign grants" -eq 1' -fa 'add' -d 'Allow a program tokens of a session, with your PIN.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign grants" -eq 1' -fa 'revoke' -d 'End a program\'s grant.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" session' -l 'session' -d 'The session whose tokens it may have.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add"' -l 'scope' -d 'Allow only this scope; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add"' -l 'resource' -d 'Allow tokens for this service only; may be repeated.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" id-token' -l 'id-token' -d 'Allow the ID token too, which proves your identity to others.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" when' -l 'when' -d 'When the program gets tokens: open (while you are here), unlocked (also in your absence, until the agent is locked) or asked (with the PIN each time).' -rfka 'open unlocked asked'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" for' -l 'for' -d 'How long the grant lasts, such as 8h or 30d; by default until it is revoked.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" cut' -l 'cut' -d 'Also end its tokens at the issuer, which other programs may have too.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" y yes' -l 'yes' -s 'y' -d 'Do not ask for confirmation.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign grants revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign pin" -eq 1' -fa 'set' -d 'Choose the PIN: 6 to 16 digits, or a passphrase of 8 or more characters.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign pin" -eq 1' -fa 'change' -d 'Change the PIN.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign pin" -eq 1' -fa 'reset' -d 'Destroy all keys, tokens and the log, to start anew, without the PIN.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_positional "countersign pin" -eq 1' -fa 'status' -d 'Show whether a PIN is set and how many tries are left.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin change" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" y yes' -l 'yes' -s 'y' -d 'Do not ask for a typed confirmation.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin reset" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign pin status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" callback' -l 'callback' -d 'How the bank\'s page leads back: to this computer\'s loopback address, by the desktop\'s link handler, or by an address that you paste.' -rfka 'loopback scheme paste'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" no-browser' -l 'no-browser' -d 'Print the address of the bank\'s page instead of opening it.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" timeout' -l 'timeout' -d 'Minutes to wait for the bank\'s page.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" y yes' -l 'yes' -s 'y' -d 'Do not ask to confirm the bank\'s hosts.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" issuer' -l 'issuer' -d 'Check this issuer instead, step by step; nothing is changed there.' -rfka ''
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" json' -l 'json' -d 'Print the result as one JSON object.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" q quiet' -l 'quiet' -s 'q' -d 'Print only ids, one a line, or nothing.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" no-input' -l 'no-input' -d 'Never ask; fail with exit code 3 instead.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" pin-file' -l 'pin-file' -d 'Read the PIN from the first line of this file; - is standard input.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" home' -l 'home' -d 'The directory of connections and log, instead of ~/.local/state/countersign.' -rfa '(__countersign_complete_directories)'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" ca-file' -l 'ca-file' -d 'Trust the certificate authorities in this PEM file too.' -rF
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" verbose' -l 'verbose' -d 'Name each call to a bank on standard error.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" version' -l 'version' -d 'Show the version.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'countersign' -n '__countersign_should_offer_completions_for_flags_or_options "countersign help" version' -l 'version' -d 'Show the version.'
