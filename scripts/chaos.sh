#!/usr/bin/env bash
# make chaos: breaks everything in turn during a stream of work (processes, servers, connections, disks; see scripts/e2e/faults.py),
# and has the history judged by scripts/e2e/history.py. On servers of its own, gone afterwards.
#   CHAOS_DECK=short   one fault of each kind; all of them (full) if not told
#   CHAOS_ROUNDS=…     how many faults; the deck once if not told
#   CHAOS_MINUTES=60   for so long, the deck again and again
#   CHAOS_SEED=…       the same faults in the same order
#   COWORKFLOW_BIN     the program, with the appender (Tests/Appender) beside it; built where it is not given
# As root also with full disks, which it mounts where nobody else sees them.
set -euo pipefail
if ((EUID == 0)) && [[ -z ${CHAOS_MOUNTS:-} ]]; then
    if unshare --mount --propagation private true 2>/dev/null; then
        CHAOS_MOUNTS=1 exec unshare --mount --propagation private "$BASH" "${BASH_SOURCE[0]}" "$@"
    fi
    export CHAOS_MOUNTS=0
fi
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/e2e.sh
source "$ROOT/scripts/lib/e2e.sh"

for setting in CHAOS_ROUNDS CHAOS_MINUTES CHAOS_SEED; do
    [[ ${!setting:-1} =~ ^[1-9][0-9]{0,8}$ ]] || fail "$setting is a number, not '${!setting}'"
done
[[ ${CHAOS_DECK:-full} =~ ^(full|short)$ ]] || fail "CHAOS_DECK is full or short, not '$CHAOS_DECK'"
# Only processes are killed, never the machine, and what a process wrote survives it in the kernel's cache.
export COWORKFLOW_POSTGRES_FSYNC=${COWORKFLOW_POSTGRES_FSYNC:-off}
export COWORKFLOW_POSTGRES_CONNECTIONS=100 COWORKFLOW_RABBITMQ_MANAGEMENT=off
COWORKFLOW_FIRST_PORT=$((20000 + RANDOM % 4000))
export COWORKFLOW_FIRST_PORT

if [[ -z ${COWORKFLOW_BIN:-} ]]; then
    # shellcheck source=scripts/lib/prepare.sh
    source "$ROOT/scripts/lib/prepare.sh"
    # shellcheck source=scripts/lib/build.sh
    source "$ROOT/scripts/lib/build.sh"
    CONFIG=${CONFIG:-debug}
    read_config
    trap stop_build EXIT
    trap 'exit 130' INT TERM HUP
    prepare
    build "Building CoworkFlow ($CONFIG)" "${BUILD_FLAGS[@]}" --product coworkflow
    build "Building the appender ($CONFIG)" "${BUILD_FLAGS[@]}" --product appender
    export COWORKFLOW_BIN=$ROOT/.build/$CONFIG/coworkflow
fi
APPENDER=$(dirname "$COWORKFLOW_BIN")/appender
[[ -x $APPENDER ]] || fail "there is no $APPENDER: swift build --product appender"

e2e_begin chaos
need_disk "$E2E_DIR" 1000
# The judge is judged first, and what cuts connections too.
e2e_drive test_history.py --quiet
e2e_drive test_proxy.py --quiet
e2e_drive chaos.py "$COWORKFLOW_BIN" "$APPENDER" "$E2E_DIR"
