#!/usr/bin/env bash
# Installs, as root, the Debian packages that are missing, and keeps the system's own Postgres and RabbitMQ from being started
# or set up by their installation: ours are private. What was installed before stays as it was.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/prepare.sh
source "$ROOT/scripts/lib/prepare.sh"

POLICY=/usr/sbin/policy-rc.d
POLICY_MARK='# Written by CoworkFlow for the time of an installation.'
CLUSTER_SETTINGS=/etc/postgresql-common/createcluster.conf

((EUID == 0)) || fail "only root can install packages"
mapfile -t missing < <(missing_packages)
if ((${#missing[@]} == 0)); then exit 0; fi

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp /tmp/coworkflow-packages.XXXXXX.log)

restore() {
    if grep -qsxF "$POLICY_MARK" "$POLICY"; then rm -f "$POLICY"; fi
    if [[ -e $CLUSTER_SETTINGS.coworkflow ]]; then mv "$CLUSTER_SETTINGS.coworkflow" "$CLUSTER_SETTINGS"; fi
}

# What an earlier, killed run of this script left behind.
restore
trap restore EXIT
trap 'exit 130' INT TERM HUP

# A policy that is already there (containers have one) is respected, whatever it says.
if [[ ! -e $POLICY ]]; then
    printf '%s\n' '#!/bin/sh' "$POLICY_MARK" 'exit 101' >"$POLICY"
    chmod 755 "$POLICY"
fi

apt_get() {
    if ! apt-get -y -o DPkg::Lock::Timeout=120 "$@" </dev/null >>"$log" 2>&1; then
        tail -n 8 "$log" >&2
        if grep -qs 'No space left on device\|enough free space' "$log"; then fail "the disk is full: free some space and run again"; fi
        fail "apt-get $* failed, the reason is above; the whole output is in $log"
    fi
}

installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

say "Installing Debian packages: ${missing[*]}"
# Without a network the lists at hand may do.
apt-get -o DPkg::Lock::Timeout=120 update </dev/null >>"$log" 2>&1 || say "apt-get update failed; going on with the package lists at hand"

new_services=()
installed rabbitmq-server || new_services+=(rabbitmq-server.service)
installed erlang-base || new_services+=(epmd.service epmd.socket)
if [[ " ${missing[*]} " == *' postgresql '* ]]; then
    # Through dpkg's own file: its settings must exist before they can be changed, and are put back untouched.
    apt_get install --no-install-recommends postgresql-common
    cp -p "$CLUSTER_SETTINGS" "$CLUSTER_SETTINGS.coworkflow"
    pg_conftool "$CLUSTER_SETTINGS" set create_main_cluster off
fi
apt_get install --no-install-recommends "${missing[@]}"

# An existing policy may have allowed the start, and under systemd the next boot would start them too.
for service in "${new_services[@]}"; do
    if [[ -d /run/systemd/system ]]; then systemctl stop "$service" >>"$log" 2>&1 || true; fi
    if command -v systemctl >/dev/null; then systemctl disable "$service" >>"$log" 2>&1 || true; fi
done
# (Only a broker that runs: stopping one that does not would leave an epmd running.)
if [[ ! -d /run/systemd/system && " ${new_services[*]} " == *' rabbitmq-server.service '* ]] && port_listening 5672; then
    service rabbitmq-server stop >>"$log" 2>&1 || true
fi
rm -f "$log"
