#!/usr/bin/env bash
# make chaos: kills every process in turn, Postgres and RabbitMQ included, during a stream of bookings, and has the history
# judged by scripts/e2e/history.py. On servers of its own, gone afterwards.
#   CHAOS_ROUNDS=10   how many kills
#   CHAOS_SEED=…      the same victims in the same order
#   CHAOS_STOP=1      a standby recorder too, and rounds in which the active one is paused
#   COWORKFLOW_BIN    the program; built where it is not given
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/e2e.sh
source "$ROOT/scripts/lib/e2e.sh"

CHAOS_ROUNDS=${CHAOS_ROUNDS:-10}
[[ $CHAOS_ROUNDS =~ ^[1-9][0-9]{0,3}$ ]] || fail "CHAOS_ROUNDS is a number from 1 to 9999, not '$CHAOS_ROUNDS'"
export CHAOS_ROUNDS
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
    trap stop_build EXIT
    trap 'exit 130' INT TERM HUP
    prepare
    build "Building CoworkFlow ($CONFIG)" --configuration "$CONFIG" --product coworkflow
    export COWORKFLOW_BIN=$ROOT/.build/$CONFIG/coworkflow
fi

e2e_begin chaos
need_disk "$E2E_DIR" 1000
# The judge is judged first.
e2e_drive test_history.py --quiet
e2e_drive chaos.py "$COWORKFLOW_BIN" "$E2E_DIR"
