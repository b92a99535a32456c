#!/usr/bin/env bash
# coworkflow replay over a history of its own: killed in the middle it goes on from there, two at once are one too many, and what
# it builds is what the log says. Uses the server that COWORKFLOW_TEST_POSTGRES names.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

EVENTS=${REPLAY_EVENTS:-20000}
[[ -n ${COWORKFLOW_BIN:-} && -n ${COWORKFLOW_TEST_POSTGRES:-} && -n ${COWORKFLOW_TEST_AMQP:-} ]] ||
    fail "COWORKFLOW_BIN and the servers must be named: run 'make test'"
command -v psql >/dev/null || fail "psql is not installed: as root run $ROOT/scripts/install-packages.sh"

NAME=replay_test_$$
FOLDER=$(mktemp -d)
REPLAY=
clean_up() {
    local code=$?
    trap '' INT TERM HUP PIPE
    trap - EXIT
    if [[ -n $REPLAY ]]; then kill -KILL "$REPLAY" 2>/dev/null || true; fi
    if ((code != 0)); then tail -n 20 "$FOLDER"/* >&2 || true; fi
    psql -q "$COWORKFLOW_TEST_POSTGRES" -c "drop database if exists $NAME with (force)" || true
    rm -rf "$FOLDER"
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

psql -q "$COWORKFLOW_TEST_POSTGRES" -c "create database $NAME"
export COWORKFLOW_POSTGRES_URL=${COWORKFLOW_TEST_POSTGRES%/*}/$NAME
export COWORKFLOW_AMQP_URL=$COWORKFLOW_TEST_AMQP COWORKFLOW_ENVIRONMENT=development COWORKFLOW_DATA_DIR=$FOLDER/keys
ask() { psql -qAt "$COWORKFLOW_POSTGRES_URL" -c "$1"; }

"$COWORKFLOW_BIN" migrate >/dev/null
psql -q -v "events=$EVENTS" -f "$ROOT/benchmarks/history.sql" "$COWORKFLOW_POSTGRES_URL"
HEAD=$(ask 'select head from log.writer')

say "Killing a replay of $HEAD events in the middle…"
"$COWORKFLOW_BIN" replay reservas >"$FOLDER/killed" 2>&1 &
REPLAY=$!
deadline=$((SECONDS + 120))
until [[ $(ask "select coalesce((select position between 1 and $HEAD / 2 from read_shadow.builds), false)") == t ]]; do
    if ((SECONDS > deadline)) || ! kill -0 "$REPLAY" 2>/dev/null; then fail "it was never in the middle"; fi
done
if "$COWORKFLOW_BIN" replay reservas >"$FOLDER/rival" 2>&1; then fail "two replays at once"; fi
grep -q 'another replay of reservas is running' "$FOLDER/rival" || fail "the second replay does not say why it ends"
kill -KILL "$REPLAY"
wait "$REPLAY" 2>/dev/null || true
REPLAY=
BUILT=$(ask 'select position from read_shadow.builds')
if ((BUILT == 0 || BUILT >= HEAD)); then fail "killed at $BUILT of $HEAD: nowhere in the middle"; fi

say "Taking it up at $BUILT…"
# The server may notice the death of its client a moment later.
until "$COWORKFLOW_BIN" replay reservas >"$FOLDER/again" 2>&1; do
    if ((SECONDS > deadline)) || ! grep -q 'is running' "$FOLDER/again"; then fail "it is not taken up"; fi
done
grep -q "^reservas: built and switched at position $HEAD;" "$FOLDER/again" || fail "it did not switch"

say "Comparing, as of a position, all…"
"$COWORKFLOW_BIN" replay all >"$FOLDER/all" 2>&1
grep -q "^reservas: equal at position $HEAD, switched at $HEAD" "$FOLDER/all" || fail "what was taken up is not what is built in one go"
[[ $(ask "select count(*) from read_old.reservas_bookings") == $(ask "select count(*) from read.reservas_bookings") ]] ||
    fail "what was replaced is not kept"
"$COWORKFLOW_BIN" replay reservas --as-of 2025-12-31T00:00:10Z >"$FOLDER/as-of" 2>&1
grep -q '^reservas: as of position 1000 in schema read_at_reservas_1000' "$FOLDER/as-of" || fail "a time is not found"
[[ $(ask 'select max(position) <= 1000 and count(*) > 0 from read_at_reservas_1000.reservas_bookings') == t ]] || fail "it is not as of then"
"$COWORKFLOW_BIN" replay all --drop-old >/dev/null
[[ -z $(ask "select 1 from pg_tables where schemaname = 'read_old' or schemaname like 'read_at_%'") ]] || fail "something is left behind"

say "A model that this program defines otherwise…"
ask "update read.checkpoints set definition = 'older' where name = 'reservas'; delete from read.checkpoints where name = 'contas'"
"$COWORKFLOW_BIN" replay changed >"$FOLDER/changed" 2>&1
[[ $(sed -n 's/: built and switched at .*//p' "$FOLDER/changed" | xargs) == 'contas reservas' ]] || fail "others were built than had changed"
[[ $("$COWORKFLOW_BIN" replay changed 2>/dev/null) == 'every read model is what this program makes of the log' ]] ||
    fail "what was built is built again"

say "A live model with other rows…"
ask 'update read.reservas_bookings set seats = 7 where id = (select min(id::text)::uuid from read.reservas_bookings)'
if "$COWORKFLOW_BIN" replay reservas >"$FOLDER/different" 2>&1; then fail "a difference ends with code 0"; fi
grep -q '^reservas: different at position .*: reservas_bookings (01890a5d-.*); the live model stays' "$FOLDER/different" ||
    fail "a difference is not named"
"$COWORKFLOW_BIN" replay reservas --force >"$FOLDER/forced" 2>&1
"$COWORKFLOW_BIN" verify >"$FOLDER/verified" 2>&1 || fail "what was replayed does not stand a check"
