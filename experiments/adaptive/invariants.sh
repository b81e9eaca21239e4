#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Nothing stands still that is proved, and what is refused does:
#
#	experiments/adaptive/invariants.sh [HEDDLE] [CYCLES]
#
# Every routing and policy at load 1 in buffers of one packet for CYCLES (1,000,000) cycles, with 72 and 342 hosts, all
# links there and five of them failed; then every one with a VC less, which the proof must refuse and the simulator
# must find to be deadlocked. Prints a row each, and stops with exit status 1 at the first that is wrong. It takes an
# hour; a HEDDLE that was configured with --enable-debug checks at every stop too that counters of contention are heads
# and leaving packets, that credits are buffers, and that no packet is lost.
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/invariants.py" "${1:-heddle}" "${2:-1000000}"
