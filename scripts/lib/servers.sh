# shellcheck shell=bash
# A private Postgres and a private RabbitMQ in a folder: loopback only, passwords of their own, ports remembered.
# Sourced after common.sh; scripts/servers.sh is the command line over it.
#
# use_servers DIR comes first: it reads DIR/servers.env, or chooses ports and passwords and writes it. Settings, kept in that
# file from the first start on:
#   COWORKFLOW_FIRST_PORT            where the search for free ports begins (25432)
#   COWORKFLOW_POSTGRES_FSYNC        on | off (on)
#   COWORKFLOW_POSTGRES_CONNECTIONS  max_connections (100)
#   COWORKFLOW_RABBITMQ_MANAGEMENT   on | off: the HTTP management API, on loopback (off)
#
# With DIR/tls/server.pem, server.key and ca.pem both speak TLS as well: Postgres on its one port, RabbitMQ on a further one, where it
# takes certificates of clients that ca.pem has signed, and none.
#
# As root the servers run as the users postgres and rabbitmq, else as whoever calls.

POSTGRES_START_SECONDS=60
RABBITMQ_START_SECONDS=90
# Both stop side by side and together with the application within ten seconds; SIGKILL loses nothing that was committed.
SERVER_STOP_SECONDS=4

# as_user USER COMMAND…: only root can and must change.
as_user() {
    if ((EUID == 0)); then
        setpriv --reuid="$1" --regid="$1" --init-groups -- "${@:2}"
    else
        "${@:2}"
    fi
}

random_password() {
    od -An -N 20 -tx1 /dev/urandom | tr -d ' \n'
}

use_servers() {
    SERVERS_DIR=$(realpath -m -- "$1")
    own_folder "$SERVERS_DIR"
    SERVERS_STATE=$SERVERS_DIR/servers.env
    SERVERS_OF='' DATA_ROOT='' NODE='' FSYNC='' CONNECTIONS='' MANAGEMENT='' POSTGRES_PASSWORD='' RABBITMQ_PASSWORD=''
    POSTGRES_PORT='' AMQP_PORT='' MANAGEMENT_PORT='' EPMD_PORT='' DIST_PORT='' AMQPS_PORT=''
    if [[ -s $SERVERS_STATE ]]; then
        # shellcheck source=/dev/null
        source "$SERVERS_STATE"
    fi
    local hash
    hash=$(printf '%s' "$SERVERS_DIR" | sha256sum | cut -c 1-12)
    # A copied or moved checkout brings its data along, except data that had to live elsewhere.
    if [[ $SERVERS_OF != "$SERVERS_DIR" && $DATA_ROOT == /var/lib/coworkflow/* ]]; then
        DATA_ROOT='' NODE='' POSTGRES_PASSWORD='' RABBITMQ_PASSWORD=''
    elif [[ -n $DATA_ROOT && $DATA_ROOT != /var/lib/coworkflow/* ]]; then
        DATA_ROOT=$SERVERS_DIR/servers
    fi
    SERVERS_OF=$SERVERS_DIR
    [[ -n $DATA_ROOT ]] || choose_data_root "$hash"
    NODE=${NODE:-coworkflow-$hash@localhost}
    FSYNC=${COWORKFLOW_POSTGRES_FSYNC:-${FSYNC:-on}}
    CONNECTIONS=${COWORKFLOW_POSTGRES_CONNECTIONS:-${CONNECTIONS:-100}}
    MANAGEMENT=${COWORKFLOW_RABBITMQ_MANAGEMENT:-${MANAGEMENT:-off}}
    POSTGRES_PASSWORD=${POSTGRES_PASSWORD:-$(random_password)}
    RABBITMQ_PASSWORD=${RABBITMQ_PASSWORD:-$(random_password)}
    # Below the range that Linux takes outgoing connections' ports from, so that none of those can sit on ours.
    FIRST_PORT=${COWORKFLOW_FIRST_PORT:-25432}
    POSTGRES_DATA=$DATA_ROOT/postgres/data
    POSTGRES_LOG=$DATA_ROOT/postgres/log
    RABBITMQ_HOME=$DATA_ROOT/rabbitmq
    RABBITMQ_LOG=$DATA_ROOT/rabbitmq/out.log
    # Every process of a server carries its mark in its environment.
    RABBITMQ_MARK=COWORKFLOW_PRIVATE_RABBITMQ=$SERVERS_DIR
}

choose_data_root() {
    DATA_ROOT=$SERVERS_DIR/servers
    mkdir -p "$DATA_ROOT"
    if ((EUID != 0)); then
        chmod 700 "$SERVERS_DIR" "$DATA_ROOT"
        return
    fi
    # Others may pass through, not look around.
    chmod 711 "$SERVERS_DIR" "$DATA_ROOT"
    if ! as_user postgres test -x "$DATA_ROOT/." || ! as_user rabbitmq test -x "$DATA_ROOT/."; then
        rmdir "$DATA_ROOT"
        DATA_ROOT=/var/lib/coworkflow/$1
        say "The users postgres and rabbitmq cannot reach $SERVERS_DIR: their data goes to $DATA_ROOT" >&2
        mkdir -p "$DATA_ROOT"
        chmod 711 /var/lib/coworkflow "$DATA_ROOT"
    fi
}

save_servers() {
    local name
    (
        umask 077
        for name in SERVERS_OF DATA_ROOT NODE FSYNC CONNECTIONS MANAGEMENT POSTGRES_PASSWORD RABBITMQ_PASSWORD \
            POSTGRES_PORT AMQP_PORT MANAGEMENT_PORT EPMD_PORT DIST_PORT AMQPS_PORT; do
            printf '%s=%q\n' "$name" "${!name}"
        done >"$SERVERS_STATE.new"
        mv "$SERVERS_STATE.new" "$SERVERS_STATE"
    )
}

# choose_port NAME OFFSET: keeps the remembered port unless someone else listens there by now. Who knows it by heart must find it there
# again, and a process of many threads that was killed may hold it for a moment after it is called dead.
choose_port() {
    local -n port=$1
    local tries
    if [[ -n $port ]]; then
        for ((tries = 0; tries < 30; tries++)); do
            if ! port_listening "$port"; then return; fi
            sleep 0.1
        done
    fi
    port=$(next_free_port "$((FIRST_PORT + $2))" "$POSTGRES_PORT" "$AMQP_PORT" "$MANAGEMENT_PORT" "$EPMD_PORT" "$DIST_PORT" \
        "$AMQPS_PORT")
}

# spawn_server USER LOG COMMAND…: in a session of its own and with no lock of ours, since it outlives the script.
spawn_server() {
    # shellcheck disable=SC2093 # the subshell is there to be replaced
    (
        close_lock
        # A place that the servers may look around in, which Erlang does.
        cd / || exit
        if ((EUID == 0)); then
            exec setsid env --default-signal setpriv --reuid="$1" --regid="$1" --init-groups -- "${@:3}"
        fi
        exec setsid env --default-signal "${@:3}"
    ) </dev/null >"$2" 2>&1 &
    SPAWNED=$!
    # No job of this shell, which would remark on its death.
    disown "$SPAWNED"
}

# private_folder USER PATH…
private_folder() {
    mkdir -p "${@:2}"
    chmod 700 "${@:2}"
    if ((EUID == 0)); then chown "$1:" "${@:2}"; fi
}

has_tls() {
    [[ -f $SERVERS_DIR/tls/server.pem ]]
}

# install_tls USER FOLDER: copies that the server may read, made anew by every start.
install_tls() {
    local name
    for name in server.pem ca.pem server.key; do
        install -m 600 "$SERVERS_DIR/tls/$name" "$2/$name"
        if ((EUID == 0)); then chown "$1:" "$2/$name"; fi
    done
}

report_start() {
    printf '%s is ready on 127.0.0.1:%s (%d.%d s)\n' "$1" "$2" "$((($(now_ms) - $3) / 1000))" "$((($(now_ms) - $3) % 1000 / 100))"
}

# --- Postgres ---------------------------------------------------------------------------------------------------------------

# The folder of the server's programs: of the version that made the data, or the newest.
postgres_programs() {
    local version=
    if [[ -f $POSTGRES_DATA/PG_VERSION ]]; then version=$(<"$POSTGRES_DATA/PG_VERSION"); fi
    local found
    # shellcheck disable=SC2086 # the asterisk is a pattern
    found=$(printf '%s\n' /usr/lib/postgresql/${version:-*}/bin/postgres | sort -V | tail -n 1)
    [[ -x $found ]] || fail "PostgreSQL $version is not installed (looked for $found): apt-get install postgresql${version:+-$version}"
    dirname "$found"
}

# Every process of our Postgres, children of a killed postmaster included: they all work in the data folder.
postgres_pids() {
    local proc target comm
    while IFS=$'\t' read -r proc target; do
        if [[ $target == "$POSTGRES_DATA" ]] && { read -r comm <"$proc/comm"; } 2>/dev/null && [[ $comm == postgres ]]; then
            printf '%s\n' "${proc#/proc/}"
        fi
    done < <(find /proc/[0-9]*/cwd -maxdepth 0 -printf '%h\t%l\n' 2>/dev/null)
}

postgres_gone() {
    [[ -z $(postgres_pids) ]]
}

# The eighth line of postmaster.pid is the state, and pg_ctl waits for it too. Only trusted of a process that is ours.
postgres_ready() {
    local -a lines=()
    mapfile -t lines < <(cat "$POSTGRES_DATA/postmaster.pid" 2>/dev/null)
    [[ ${lines[7]:-} == ready* && $'\n'$(postgres_pids)$'\n' == *$'\n'"${lines[0]}"$'\n'* ]]
}

postgres_ready_or_dead() {
    postgres_ready || ! kill -0 "$SPAWNED" 2>/dev/null
}

create_cluster() {
    if [[ -f $POSTGRES_DATA/PG_VERSION ]]; then return; fi
    local new=$POSTGRES_DATA.new password_file=$DATA_ROOT/postgres/password
    local -a options=()
    if [[ $FSYNC == off ]]; then options=(--no-sync); fi
    # Made aside and renamed: an interrupted initdb leaves nothing that looks like a cluster.
    rm -rf "$new"
    (
        umask 077
        printf '%s\n' "$POSTGRES_PASSWORD" >"$password_file"
    )
    if ((EUID == 0)); then chown postgres: "$password_file"; fi
    (
        cd "$DATA_ROOT"
        as_user postgres env LC_ALL=C.UTF-8 "$1/initdb" --pgdata="$new" --encoding=UTF8 --locale=C.UTF-8 --data-checksums \
            --username=coworkflow_owner --pwfile="$password_file" --auth=scram-sha-256 "${options[@]}" >"$DATA_ROOT/initdb.log" 2>&1
    ) || {
        tail -n 5 "$DATA_ROOT/initdb.log" >&2
        fail "Postgres could not create its data in $POSTGRES_DATA; the reason is above"
    }
    rm -f "$password_file"
    mv "$new" "$POSTGRES_DATA"
}

# Leaves a running, answering server as it is.
start_postgres() {
    if postgres_ready; then return; fi
    postgres_gone || stop_postgres
    local programs started
    started=$(now_ms)
    programs=$(postgres_programs)
    choose_port POSTGRES_PORT 0
    # Before the data exist: the password is nowhere else.
    save_servers
    private_folder postgres "$DATA_ROOT/postgres"
    create_cluster "$programs"
    # Nobody works in the data folder (see above), so the file is of a dead process. Postgres itself removes it only when
    # its process id is free, and after a power cut the id may be anyone's.
    rm -f "$POSTGRES_DATA/postmaster.pid"
    local -a tls=()
    if has_tls; then
        install_tls postgres "$DATA_ROOT/postgres"
        tls=(-c ssl=on -c ssl_cert_file="$DATA_ROOT/postgres/server.pem" -c ssl_key_file="$DATA_ROOT/postgres/server.key")
    fi
    spawn_server postgres "$POSTGRES_LOG" env LC_ALL=C.UTF-8 "$programs/postgres" -D "$POSTGRES_DATA" -p "$POSTGRES_PORT" \
        -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections="$CONNECTIONS" -c shared_buffers=128MB \
        -c fsync="$FSYNC" -c password_encryption=scram-sha-256 -c timezone=UTC -c log_timezone=UTC "${tls[@]}"
    if ! wait_until "$POSTGRES_START_SECONDS" postgres_ready_or_dead || ! postgres_ready; then
        tail -n 5 "$POSTGRES_LOG" >&2
        fail "Postgres did not start; its log is $POSTGRES_LOG"
    fi
    create_database "$programs"
    report_start Postgres "$POSTGRES_PORT" "$started"
}

create_database() {
    local -a psql=(env "PGPASSWORD=$POSTGRES_PASSWORD" "$1/psql" -X -q -A -t -v ON_ERROR_STOP=1
        -h 127.0.0.1 -p "$POSTGRES_PORT" -U coworkflow_owner -d postgres)
    local found
    found=$("${psql[@]}" -c "SELECT 1 FROM pg_database WHERE datname = 'coworkflow'") ||
        fail "Postgres on port $POSTGRES_PORT refuses the password in $SERVERS_STATE"
    if [[ $found != 1 ]]; then "${psql[@]}" -c 'CREATE DATABASE coworkflow'; fi
}

stop_postgres() {
    local postmaster
    postmaster=$(head -n 1 "$POSTGRES_DATA/postmaster.pid" 2>/dev/null || true)
    if [[ -n $postmaster && $'\n'$(postgres_pids)$'\n' == *$'\n'"$postmaster"$'\n'* ]]; then
        # SIGINT is Postgres's fast shutdown: sessions are closed, the checkpoint is written.
        signal_all INT "$postmaster"
    fi
    if ! wait_until "$SERVER_STOP_SECONDS" postgres_gone; then kill_postgres; fi
}

# As a power cut would: every process at once, no checkpoint.
kill_postgres() {
    wait_until 10 killed postgres_pids || fail "Postgres processes survive SIGKILL: $(postgres_pids | tr '\n' ' ')"
}

# --- RabbitMQ ---------------------------------------------------------------------------------------------------------------

rabbitmq_pids() {
    marked_pids "$RABBITMQ_MARK"
}

rabbitmq_gone() {
    [[ -z $(rabbitmq_pids) ]]
}

# The broker itself, without epmd and the port helpers.
rabbitmq_broker() {
    local pid comm
    for pid in $(rabbitmq_pids); do
        if { read -r comm <"/proc/$pid/comm"; } 2>/dev/null && [[ $comm == beam.smp ]]; then printf '%s\n' "$pid"; fi
    done
}

rabbitmq_broker_gone() {
    [[ -z $(rabbitmq_broker) ]]
}

rabbitmq_ready() {
    [[ -n $(rabbitmq_broker) ]] && port_listening "$AMQP_PORT" && grep -qs 'completed with [0-9]* plugins' "$RABBITMQ_LOG"
}

rabbitmq_ready_or_dead() {
    rabbitmq_ready || ! kill -0 "$SPAWNED" 2>/dev/null
}

configure_rabbitmq() {
    (
        umask 077
        cat >"$RABBITMQ_HOME/rabbitmq.conf" <<CONF
listeners.tcp.1 = 127.0.0.1:$AMQP_PORT
default_user = coworkflow
default_pass = $RABBITMQ_PASSWORD
default_user_tags.administrator = true
disk_free_limit.absolute = 200MB
vm_memory_high_watermark.absolute = 512MiB
log.file.rotation.size = 10485760
log.file.rotation.count = 2
CONF
        if [[ $MANAGEMENT == on ]]; then
            printf 'management.tcp.ip = 127.0.0.1\nmanagement.tcp.port = %s\n' "$MANAGEMENT_PORT" >>"$RABBITMQ_HOME/rabbitmq.conf"
            echo '[rabbitmq_management].' >"$RABBITMQ_HOME/enabled_plugins"
        else
            echo '[].' >"$RABBITMQ_HOME/enabled_plugins"
        fi
        if has_tls; then
            install_tls rabbitmq "$RABBITMQ_HOME"
            cat >>"$RABBITMQ_HOME/rabbitmq.conf" <<CONF
listeners.ssl.1 = 127.0.0.1:$AMQPS_PORT
ssl_options.cacertfile = $RABBITMQ_HOME/ca.pem
ssl_options.certfile = $RABBITMQ_HOME/server.pem
ssl_options.keyfile = $RABBITMQ_HOME/server.key
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = false
CONF
        fi
        # An empty file, so that the system's own /etc/rabbitmq/rabbitmq-env.conf has no say.
        : >"$RABBITMQ_HOME/env.conf"
    )
    if ((EUID == 0)); then
        chown rabbitmq: "$RABBITMQ_HOME/rabbitmq.conf" "$RABBITMQ_HOME/enabled_plugins" "$RABBITMQ_HOME/env.conf"
    fi
}

# Leaves a running broker as it is.
start_rabbitmq() {
    if rabbitmq_ready; then return; fi
    rabbitmq_broker_gone || stop_rabbitmq
    local started program=/usr/lib/rabbitmq/bin/rabbitmq-server
    [[ -x $program ]] || fail "RabbitMQ is not installed: apt-get install rabbitmq-server"
    started=$(now_ms)
    # An epmd of ours that survived its broker is used again, so its port counts as ours.
    rabbitmq_gone || stop_rabbitmq
    choose_port AMQP_PORT 1
    choose_port MANAGEMENT_PORT 2
    choose_port EPMD_PORT 3
    choose_port DIST_PORT 4
    if has_tls; then choose_port AMQPS_PORT 5; fi
    save_servers
    private_folder rabbitmq "$RABBITMQ_HOME"
    configure_rabbitmq
    # RUNNING_UNDER_SYSTEMD makes the start script become the broker instead of staying as its parent.
    spawn_server rabbitmq "$RABBITMQ_LOG" env -i "$RABBITMQ_MARK" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        HOME="$RABBITMQ_HOME" RUNNING_UNDER_SYSTEMD=true ERL_CRASH_DUMP_SECONDS=0 \
        RABBITMQ_CONF_ENV_FILE="$RABBITMQ_HOME/env.conf" RABBITMQ_CONFIG_FILE="$RABBITMQ_HOME/rabbitmq.conf" \
        RABBITMQ_ENABLED_PLUGINS_FILE="$RABBITMQ_HOME/enabled_plugins" \
        RABBITMQ_MNESIA_BASE="$RABBITMQ_HOME/mnesia" RABBITMQ_LOG_BASE="$RABBITMQ_HOME/log" \
        RABBITMQ_NODENAME="$NODE" RABBITMQ_DIST_PORT="$DIST_PORT" ERL_EPMD_PORT="$EPMD_PORT" ERL_EPMD_ADDRESS=127.0.0.1 \
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' "$program"
    if ! wait_until "$RABBITMQ_START_SECONDS" rabbitmq_ready_or_dead || ! rabbitmq_ready; then
        grep -vE '^[[:space:]#]*$' "$RABBITMQ_LOG" | tail -n 8 >&2
        stop_rabbitmq
        fail "RabbitMQ did not start; its logs are $RABBITMQ_LOG and those in $RABBITMQ_HOME/log"
    fi
    report_start RabbitMQ "$AMQP_PORT" "$started"
}

# shellcheck disable=SC2046 # lists of numbers
stop_rabbitmq() {
    signal_all TERM $(rabbitmq_broker)
    wait_until "$SERVER_STOP_SECONDS" rabbitmq_broker_gone || true
    # epmd stays by design when its node goes; nobody else uses ours.
    signal_all TERM $(rabbitmq_pids)
    if ! wait_until 1 rabbitmq_gone; then
        wait_until 10 killed rabbitmq_pids || fail "RabbitMQ processes survive SIGKILL: $(rabbitmq_pids | tr '\n' ' ')"
    fi
}

kill_rabbitmq() {
    wait_until 10 killed rabbitmq_pids || fail "RabbitMQ processes survive SIGKILL: $(rabbitmq_pids | tr '\n' ' ')"
}

# --- both -------------------------------------------------------------------------------------------------------------------

start_servers() {
    start_postgres
    start_rabbitmq
}

stop_servers() {
    stop_postgres &
    local postgres=$!
    stop_rabbitmq
    wait "$postgres"
}

# Shell exports for whoever uses the servers.
servers_environment() {
    if has_tls; then
        printf 'export COWORKFLOW_TEST_AMQPS=%q\n' "amqps://coworkflow:$RABBITMQ_PASSWORD@localhost:$AMQPS_PORT/?cacertfile=$SERVERS_DIR/tls/ca.pem"
    fi
    local amqp=amqp://coworkflow:$RABBITMQ_PASSWORD@127.0.0.1:$AMQP_PORT/
    local postgres=postgresql://coworkflow_owner:$POSTGRES_PASSWORD@127.0.0.1:$POSTGRES_PORT
    printf 'export %s=%q\n' \
        COWORKFLOW_POSTGRES_URL "$postgres/coworkflow" COWORKFLOW_AMQP_URL "$amqp" \
        COWORKFLOW_TEST_POSTGRES "$postgres/postgres" COWORKFLOW_TEST_AMQP "$amqp"
    if [[ $MANAGEMENT == on ]]; then
        printf 'export %s=%q\n' COWORKFLOW_TEST_RABBITMQ_API "http://coworkflow:$RABBITMQ_PASSWORD@127.0.0.1:$MANAGEMENT_PORT"
    fi
}

# Ends the servers and deletes what they kept, so there is nothing to end in order.
remove_servers() {
    kill_postgres
    kill_rabbitmq
    if [[ $DATA_ROOT == /var/lib/coworkflow/?* || $DATA_ROOT == "$SERVERS_DIR/servers" ]]; then rm -rf -- "$DATA_ROOT"; fi
    rm -f -- "$SERVERS_STATE"
}
