#!/usr/bin/env bash
# The private Postgres and RabbitMQ of a folder, for chaos runs, benchmarks and anyone debugging. See lib/servers.sh for settings.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"

usage() {
    cat <<'TEXT'
usage: scripts/servers.sh COMMAND DIR
  start                               starts both, or what of them is not running
  stop                                stops both
  start-postgres, start-rabbitmq      starts one of them
  stop-postgres, stop-rabbitmq        stops one of them in order
  kill-postgres, kill-rabbitmq        SIGKILL to every process of one of them
  env                                 prints shell exports with their addresses
  remove                              kills both and deletes their data
TEXT
}

if (($# != 2)); then
    usage >&2
    exit 2
fi
case $1 in
    start | stop | start-postgres | start-rabbitmq | stop-postgres | stop-rabbitmq | kill-postgres | kill-rabbitmq | env | remove) ;;
    *)
        usage >&2
        exit 2
        ;;
esac
use_servers "$2"
case $1 in
    start) start_servers ;;
    stop) stop_servers ;;
    start-postgres) start_postgres ;;
    start-rabbitmq) start_rabbitmq ;;
    stop-postgres) stop_postgres ;;
    stop-rabbitmq) stop_rabbitmq ;;
    kill-postgres) kill_postgres ;;
    kill-rabbitmq) kill_rabbitmq ;;
    env)
        [[ -n $POSTGRES_PORT || -n $AMQP_PORT ]] || fail "no servers were ever started in $2: scripts/servers.sh start $2"
        servers_environment
        ;;
    remove) remove_servers ;;
esac
