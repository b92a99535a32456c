# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are for whoever sources this
# What every script here needs: messages, ports, processes. Sourced, never run.

# The checkout, with symbolic links resolved: the marks that identify our processes depend on it.
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# What swift build is told of an optimised program. It brings Swift's library along, without what it does not use: fewer pages in memory,
# and a file that runs where no Swift is. Each function is a section of its own, which the linker can lay where it belongs (Package.swift).
RELEASE_BUILD=(
    --configuration release --static-swift-stdlib
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
)

say() {
    printf '%s\n' "$*"
}

# One clear line that says what to do, and the end of the script.
fail() {
    printf 'coworkflow: %s\n' "$*" >&2
    exit 1
}

# read_config: what swift build is told of $CONFIG, in BUILD_FLAGS; fails where it is no configuration.
read_config() {
    case $CONFIG in
        debug) BUILD_FLAGS=(--configuration debug) ;;
        release) BUILD_FLAGS=("${RELEASE_BUILD[@]}") ;;
        *) fail "CONFIG is debug or release, not '$CONFIG'" ;;
    esac
}

# Milliseconds of a clock, for deadlines and durations.
now_ms() {
    local us=${EPOCHREALTIME/[.,]/}
    printf '%s' "$((us / 1000))"
}

# wait_until SECONDS COMMAND…: polls a condition; fails when the time is up.
wait_until() {
    local deadline=$(($(now_ms) + $1 * 1000))
    shift
    until "$@"; do
        if (($(now_ms) >= deadline)); then return 1; fi
        sleep 0.1
    done
}

# Whether something listens on a TCP port of this machine. From /proc, because neither ss nor lsof need be installed.
port_listening() {
    local hex
    printf -v hex '%04X' "$1"
    grep -qsE "^ *[0-9]+: [0-9A-F]+:$hex [0-9A-F]+:[0-9A-F]+ 0A " /proc/net/tcp /proc/net/tcp6
}

# Whether a port can be given to a new server: outgoing connections occupy local ports too (all states but TIME_WAIT, 06).
port_free() {
    local hex
    printf -v hex '%04X' "$1"
    ! grep -qsE "^ *[0-9]+: [0-9A-F]+:$hex [0-9A-F]+:[0-9A-F]+ (0[0-57-9A-F]) " /proc/net/tcp /proc/net/tcp6
}

# next_free_port FROM [TAKEN…]: the first free port at or above FROM that is not among those already given away.
next_free_port() {
    local port=$1 taken=" ${*:2} "
    while ((port < 65536)); do
        if [[ $taken != *" $port "* ]] && port_free "$port"; then
            printf '%s' "$port"
            return
        fi
        port=$((port + 1))
    done
    fail "no free TCP port at or above $1"
}

# The processes that carry VARIABLE=VALUE in their environment. Process ids in files can be stale or reused; this cannot.
marked_pids() {
    # Processes end while we look, hence no complaint about vanished files.
    grep -lzsxF -- "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 || true
}

# The processes of a session, whatever groups they formed (swift build starts its compilers in groups of their own).
session_pids() {
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v session="$1" '{ pid = $1; sub(/^.*\) /, ""); if ($4 == session && $1 != "Z") print pid }' || true
}

# signal_all SIGNAL PID…: a process that is gone already is no error.
signal_all() {
    local signal=$1 pid
    shift
    for pid in "$@"; do
        kill "-$signal" "$pid" 2>/dev/null || true
    done
}

# Whether all processes that a command lists are gone. Those that are not are killed, also what they started since the last look.
killed() {
    local -a pids
    mapfile -t pids < <("$1")
    ((${#pids[@]} > 0)) || return 0
    signal_all KILL "${pids[@]}"
    return 1
}

# Starts a command in a session of its own, so that a Ctrl-C at the terminal reaches only the script, which then stops
# everything in order; should the script die without a word, the command is told to stop. Its id is in SPAWNED.
# (A shell makes its background commands ignore SIGINT; env undoes that.)
spawn() {
    # shellcheck disable=SC2093 # the subshell is there to be replaced
    (
        close_lock
        exec setpriv --pdeathsig TERM setsid env --default-signal "$@"
    ) </dev/null &
    SPAWNED=$!
}

# end_session PID SECONDS: TERM to the leader, KILL to whatever of its session is left after the time.
end_session() {
    signal_all TERM "$1"
    if ! wait_until "$2" session_empty "$1"; then
        # shellcheck disable=SC2046 # a list of numbers
        signal_all KILL $(session_pids "$1")
    fi
}

session_empty() {
    [[ -z $(session_pids "$1") ]]
}

# lock FILE: one script a folder. False when another holds it; HOLDER is then its process id. The file itself may stay
# for ever: the kernel drops the lock with its holder, however that ended.
LOCK_FD=
lock() {
    exec {LOCK_FD}<>"$1"
    if flock --nonblock "$LOCK_FD"; then
        printf '%s\n' "$$" >"$1"
        return
    fi
    HOLDER=$(head -n 1 "$1")
    close_lock
    return 1
}

# What outlives the script must not inherit its lock.
close_lock() {
    if [[ -n $LOCK_FD ]]; then
        exec {LOCK_FD}>&-
        LOCK_FD=
    fi
}

# need_disk PATH MEGABYTES
need_disk() {
    local free
    free=$(df --output=avail -B 1M -- "$1" | tail -n 1)
    if ((free < $2)); then
        fail "$((free)) MB are free where $1 lies, $2 MB are needed: free some space and run again"
    fi
}

# own_folder PATH: makes a folder of ours, or says whose it is.
own_folder() {
    mkdir -p -- "$1" 2>/dev/null || fail "cannot write in $(dirname "$1"): run as its owner, $(stat -c %U "$(dirname "$1")")"
    local owner
    owner=$(stat -c %u -- "$1")
    if ((owner != EUID)); then
        fail "$1 belongs to $(stat -c %U -- "$1"), and you are $(id -un): run as its owner, or delete it"
    fi
}
