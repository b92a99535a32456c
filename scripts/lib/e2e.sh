# shellcheck shell=bash
# What the end-to-end scripts share: a folder of their own, a driver in Python, and a clean-up that nothing gets past.
# Sourced after common.sh and servers.sh.

# Scripts beside the program leave no compiled copies in the checkout.
export PYTHONDONTWRITEBYTECODE=1

E2E_DIR=
E2E_MARK=
E2E_DRIVER=

# e2e_begin NAME: a fresh folder in E2E_DIR, with what a killed run left there ended and deleted; and the program's path in
# COWORKFLOW_BIN must be given. To be followed by the trap of e2e_end.
e2e_begin() {
    E2E_DIR=${COWORKFLOW_E2E_DIR:-$ROOT/.build/e2e}/$1
    E2E_MARK=COWORKFLOW_PRIVATE_E2E=$E2E_DIR
    [[ -n ${COWORKFLOW_BIN:-} ]] || fail "COWORKFLOW_BIN does not say which program to test: run 'make test'"
    [[ -x $COWORKFLOW_BIN ]] || fail "COWORKFLOW_BIN is $COWORKFLOW_BIN, which is no program"
    command -v python3 >/dev/null || fail "python3 is not installed: as root run $ROOT/scripts/install-packages.sh"
    mkdir -p "$(dirname "$E2E_DIR")"
    if ! lock "$E2E_DIR.lock"; then fail "scripts/test-$1.sh runs already in this checkout (process $HOLDER)"; fi
    trap e2e_end EXIT
    trap 'exit 130' INT TERM HUP
    e2e_remove
    mkdir -p "$E2E_DIR"
}

# e2e_drive SCRIPT ARGUMENT…: a driver of scripts/e2e, in a session of its own; its exit code.
e2e_drive() {
    local code=0
    spawn env "$E2E_MARK" python3 "$ROOT/scripts/e2e/$1" "${@:2}"
    E2E_DRIVER=$SPAWNED
    wait "$E2E_DRIVER" || code=$?
    E2E_DRIVER=
    return "$code"
}

# Ends whatever carries the mark, and the servers of the folder, and deletes both.
e2e_remove() {
    # shellcheck disable=SC2046 # a list of numbers
    signal_all KILL $(marked_pids "$E2E_MARK")
    # Small disks of a chaos run, which are mounted in its own namespace only.
    local disk
    while read -r _ disk _; do
        if [[ $disk == "$E2E_DIR"/* ]]; then umount --lazy "$disk"; fi
    done </proc/self/mounts
    if [[ -s $E2E_DIR/servers.env ]]; then
        use_servers "$E2E_DIR"
        remove_servers
    fi
    rm -rf -- "$E2E_DIR"
}

e2e_end() {
    local code=$?
    # To the end, whatever happens.
    trap '' INT TERM HUP PIPE
    trap - EXIT
    set +e
    if [[ -n $E2E_DRIVER ]]; then signal_all TERM "$E2E_DRIVER"; fi
    # shellcheck disable=SC2046 # a list of numbers
    signal_all KILL $(marked_pids "$E2E_MARK")
    if ((code == 0 || code == 130)); then
        e2e_remove
    else
        # For whoever looks for the reason.
        if [[ -s $E2E_DIR/servers.env ]]; then
            use_servers "$E2E_DIR"
            kill_postgres
            kill_rabbitmq
        fi
        say "Logs, history and data are kept in $E2E_DIR until the next run"
    fi
    exit "$code"
}
