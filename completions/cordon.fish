# fish completion for cordon(1)

# The command's words, once the line has come that far: what stands behind --
# or is neither an option nor an option's value.
function __cordon_command
    set --local tokens (commandline -opc) (commandline -ct)
    set --local switches --allow-hard-links --no-system --allow-abstract --clear-env \
        --nested --verbose --quiet --ops --json --sets --git --report
    set -e tokens[1]
    if contains -- "$tokens[1]" features doctor help; and set -q tokens[2]
        return 1
    end
    if contains -- "$tokens[1]" run show check; and set -q tokens[2]
        set -e tokens[1]
    end
    while set -q tokens[1]
        switch $tokens[1]
            case --
                set -e tokens[1]
                break
            case '--*=*'
            case '--*'
                if not contains -- $tokens[1] $switches
                    set -e tokens[1]
                end
            case '*'
                break
        end
        set -e tokens[1]
    end
    set -q tokens[1]; or return 1
    string escape -- $tokens[1..-2]
    printf '%s\n' $tokens[-1]
end

function __cordon_in_command
    set --local words (__cordon_command)
    or return 1
    test (count $words) -gt 1; and return 0
    contains -- -- (commandline -opc); and return 0
    not string match -q -- '-*' $words[1]
end

function __cordon_complete_command
    set --local words (__cordon_command)
    complete -C "$words"
end

function __cordon_at_verb
    test (count (commandline -opc)) -eq 1
end

function __cordon_in_show
    set --local tokens (commandline -opc)
    test "$tokens[2]" = show; and not __cordon_in_command
end

function __cordon_in_doctor
    set --local tokens (commandline -opc)
    test "$tokens[2]" = doctor
end

function __cordon_in_check
    set --local tokens (commandline -opc)
    test "$tokens[2]" = check
end

function __cordon_in_explain
    set --local tokens (commandline -opc)
    test "$tokens[2]" = explain
end

function __cordon_outside
    __cordon_in_explain; or not __cordon_in_command
end

function __cordon_profiles
    printf '%s\n' agent build offline
    for file in ~/.config/cordon/* /etc/cordon/* /usr/local/etc/cordon/*
        test -f $file; and path basename $file
    end
    __fish_complete_path (commandline -ct)
end

function __cordon_variables
    printf '%s\n' $argv
    set -xn
end

complete -c cordon -f
complete -c cordon -n __cordon_at_verb -a run -d 'run a command behind the wall'
complete -c cordon -n __cordon_at_verb -a show -d 'print the plan, and run nothing'
complete -c cordon -n __cordon_at_verb -a explain -d 'which rule decides about a path'
complete -c cordon -n __cordon_at_verb -a check -d 'prove the wall on this machine'
complete -c cordon -n __cordon_at_verb -a features -d 'what this version knows, as JSON'
complete -c cordon -n __cordon_at_verb -a doctor -d 'what this machine lacks, and how to mend it'
complete -c cordon -n __cordon_at_verb -a bwrap -d 'take the command line of bubblewrap'
complete -c cordon -n __cordon_at_verb -a help -d 'the options'
complete -c cordon -n 'not __cordon_in_explain; and __cordon_in_command' -a '(__cordon_complete_command)'

complete -c cordon -n __cordon_outside -l read -d 'show a path, read-only' -r -F -a '@system @toolchains'
complete -c cordon -n __cordon_outside -l write -d 'show a path, writable' -r -F
complete -c cordon -n __cordon_outside -l overlay -d 'show a directory; what is written vanishes' -x -a '@caches (__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l read-try -d 'like read, skipped when absent' -r -F
complete -c cordon -n __cordon_outside -l write-try -d 'like write, skipped when absent' -r -F
complete -c cordon -n __cordon_outside -l overlay-try -d 'like overlay, skipped when absent' -x -a '(__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l mask -d 'hide a path: opening it fails' -r -F -a '@secrets @env-files'
complete -c cordon -n __cordon_outside -l protect -d 'keep a path inside a write root as it is' -r -F
complete -c cordon -n __cordon_outside -l unmask -d 'take a mask of a set or a profile away' -r -F -a @secrets
complete -c cordon -n __cordon_outside -l unprotect -d 'take a protection of a profile away' -r -F
complete -c cordon -n __cordon_outside -l allow-hard-links -d 'mask or protect files that have other names too'
complete -c cordon -n __cordon_outside -l git -d 'keep a repository\'s hooks (not in this version)'
complete -c cordon -n __cordon_outside -l tmpfs -d 'a private, empty, writable directory' -x -a '(__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l device -d 'one more device node' -r -F
complete -c cordon -n __cordon_outside -l root -d 'start from this root file system, not @system' -x -a '(__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l no-system -d 'do not show @system'
complete -c cordon -n __cordon_outside -l tmp -d 'a directory that serves as /tmp' -x -a '(__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l home -d 'a directory that serves as the home' -x -a '(__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l cwd -d 'working directory inside' -x -a '(__fish_complete_directories)'
complete -c cordon -n __cordon_outside -l net -d 'network: loopback only, or the host\'s' -x -a 'none host'
complete -c cordon -n __cordon_outside -l allow-abstract -d 'accept the host\'s abstract sockets with its network'
complete -c cordon -n __cordon_outside -l allow-net -d 'network by list (not in this version)' -x
complete -c cordon -n __cordon_outside -l deny-net -d 'exceptions to that list (not in this version)' -x
complete -c cordon -n __cordon_outside -l socket -d 'let one host socket through (not in this version)' -r -F
complete -c cordon -n __cordon_outside -l env -d 'set a variable, or pass one on' -x -a '(__cordon_variables @basic-env)'
complete -c cordon -n __cordon_outside -l unset-env -d 'drop variables' -x -a '(__cordon_variables @agent-env @secret-env)'
complete -c cordon -n __cordon_outside -l clear-env -d 'start from an empty environment'
complete -c cordon -n __cordon_outside -l seccomp -d 'system call filter' -r -F -a 'default devel none'
complete -c cordon -n __cordon_outside -l nested -d 'allow namespaces and mounts inside; weaker'
complete -c cordon -n __cordon_outside -l proc -d 'a fresh /proc, or none' -x -a 'new none'
complete -c cordon -n __cordon_outside -l limit -d 'a limit that is in force or refused' -x -a 'procs= memory= cpus= data= address-space= files= file-size= cpu-time= stack= core='
complete -c cordon -n __cordon_outside -l timeout -d 'end everything after this time' -x
complete -c cordon -n __cordon_outside -l hostname -d 'host name inside' -x
complete -c cordon -n __cordon_outside -l uid -d 'user id inside' -x
complete -c cordon -n __cordon_outside -l gid -d 'group id inside' -x
complete -c cordon -n __cordon_outside -l keep-fd -d 'pass a descriptor above 2' -x
complete -c cordon -n __cordon_outside -l profile -d 'read options from a file' -x -a '(__cordon_profiles)'
complete -c cordon -n __cordon_outside -l args -d 'read words separated by NUL from a descriptor' -x
complete -c cordon -n __cordon_outside -l within -d 'only narrow the policy in a profile' -x -a '(__cordon_profiles)'
complete -c cordon -n __cordon_outside -l status-fd -d 'write events as JSON lines' -x
complete -c cordon -n __cordon_outside -l id -d 'a word that each event carries' -x
complete -c cordon -n __cordon_outside -l report -d 'say what was denied'
complete -c cordon -n __cordon_outside -l fail-on -d 'exit 123 when something was denied' -x -a denied
complete -c cordon -n __cordon_outside -l verbose -d 'say ready and done on stderr'
complete -c cordon -n __cordon_outside -l quiet -d 'say no notes'
complete -c cordon -n __cordon_in_doctor -l json -d 'all as JSON'
complete -c cordon -n __cordon_in_check -l json -d 'all as JSON'
complete -c cordon -n __cordon_in_explain -l json -d 'all as JSON'
complete -c cordon -n __cordon_in_explain -F
complete -c cordon -n __cordon_in_show -l ops -d 'one operation a line'
complete -c cordon -n __cordon_in_show -l json -d 'all as JSON'
complete -c cordon -n __cordon_in_show -l sets -d 'the named sets and their members'
