#!/usr/bin/env bash
# Chaos, one fault of each kind: nothing acknowledged is lost, nothing is there twice, whatever is broken.
set -euo pipefail
CHAOS_DECK=${CHAOS_DECK:-short} exec "$(dirname "${BASH_SOURCE[0]}")/chaos.sh"
