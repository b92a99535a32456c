#!/usr/bin/env bash
# Ten rounds of chaos: nothing acknowledged is lost, nothing is there twice, whatever is killed.
set -euo pipefail
CHAOS_ROUNDS=${CHAOS_ROUNDS:-10} exec "$(dirname "${BASH_SOURCE[0]}")/chaos.sh"
