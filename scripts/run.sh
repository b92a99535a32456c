#!/usr/bin/env bash
# shellcheck disable=SC2317 # the traps call what looks unreachable
# make run: everything that a fresh machine needs, then CoworkFlow in the foreground until Ctrl-C. See make help.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/prepare.sh
source "$ROOT/scripts/lib/prepare.sh"
# shellcheck source=scripts/lib/build.sh
source "$ROOT/scripts/lib/build.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/swagger.sh
source "$ROOT/scripts/lib/swagger.sh"

CONFIG=${CONFIG:-debug}
PORT=${PORT:-8000}
DEMO_DAYS=${DEMO_DAYS:-30}
STATE=$ROOT/.coworkflow
# Lies there while the program makes the demo data, before anybody can use it.
DEMO_NOTE=$STATE/demo-unfinished
APP_MARK=COWORKFLOW_PRIVATE_APP=$STATE
# ECS grants 30 s, the terminal ten for everything: what the application cannot finish by then, the log survives.
APP_STOP_SECONDS=5
APP_PID=
SERVERS_USED=

read_config
if [[ ! $PORT =~ ^[1-9][0-9]{0,4}$ ]] || ((PORT > 65535)); then fail "PORT is a number from 1 to 65535, not '$PORT'"; fi

app_pids() {
    marked_pids "$APP_MARK"
}

app_gone() {
    [[ -z $(app_pids) ]]
}

# stop_app PID: TERM once to the application itself, which stops its roles; KILL to what is left of it.
stop_app() {
    signal_all TERM "$@"
    if wait_until "$APP_STOP_SECONDS" app_gone; then return; fi
    say "The application did not stop within $APP_STOP_SECONDS s: killing it"
    # Without the shell's own remark about a killed job.
    {
        # shellcheck disable=SC2046 # a list of numbers
        signal_all KILL $(app_pids)
        wait_until 2 app_gone || say "processes survive SIGKILL: $(app_pids | tr '\n' ' ')"
    } 2>/dev/null
}

clean_up() {
    local code=$?
    # To the end, whatever happens: not even a reader of our output that is gone may interrupt it.
    trap '' INT TERM HUP PIPE
    trap - EXIT
    set +e
    stop_build
    if [[ -n $SERVERS_USED ]]; then
        say "Stopping…"
        # shellcheck disable=SC2086 # nothing when it never started
        stop_app $APP_PID
        stop_servers
        if [[ -e $DEMO_NOTE ]]; then
            say "Stopped. The demo data is not finished; 'make run' begins it anew."
        else
            say "Stopped. The data stays in ${DATA_ROOT%/servers}; 'make run' finds it again."
        fi
    fi
    exit "$code"
}

stop_requested() {
    # Asked to stop while the application runs is the normal end; before that, it is an interruption.
    if [[ -n $APP_PID ]]; then exit 0; fi
    exit 130
}

own_folder "$STATE"
if ! lock "$STATE/run.lock"; then
    fail "CoworkFlow runs already from this checkout (process $HOLDER): stop it with Ctrl-C there, or with 'make stop'"
fi
trap clean_up EXIT
trap stop_requested INT TERM HUP

# A run that was killed may have left an application; a server that it left is used again.
# shellcheck disable=SC2046 # a list of numbers
stop_app $(app_pids)
if port_listening "$PORT"; then
    fail "port $PORT is in use: stop what listens there, or choose another with 'make run PORT=8080'"
fi
prepare
build "Building CoworkFlow ($CONFIG)" "${BUILD_FLAGS[@]}"
APP=$ROOT/.build/$CONFIG/coworkflow
[[ -x $APP ]] || fail "the build left no $APP"

say "Starting Postgres and RabbitMQ…"
use_servers "$STATE"
if [[ -e $DEMO_NOTE ]]; then
    say "The demo data was interrupted the last time; it is made anew."
    remove_servers
    rm -f -- "$STATE/sandbox-psp.jsonl" "$DEMO_NOTE"
    use_servers "$STATE"
fi
SERVERS_USED=yes
need_disk "$DATA_ROOT" 1000
start_servers
eval "$(servers_environment)"
# Names for tests only; the application gets its own.
unset COWORKFLOW_TEST_POSTGRES COWORKFLOW_TEST_AMQP COWORKFLOW_TEST_RABBITMQ_API
if get_swagger "$STATE/swagger-ui"; then export COWORKFLOW_SWAGGER_DIR=$STATE/swagger-ui; fi
arguments=(dev)
if [[ ${SPLIT:-0} == 1 ]]; then arguments+=(--split); fi
cd "$ROOT"
spawn env "$APP_MARK" COWORKFLOW_DATA_DIR="$STATE" COWORKFLOW_PORT="$PORT" COWORKFLOW_DEMO_DAYS="$DEMO_DAYS" "$APP" "${arguments[@]}"
APP_PID=$SPAWNED
code=0
wait "$APP_PID" || code=$?
fail "the application ended by itself with code $code; its last words are above"
