#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What dfval is for: a group that sends to one other group. Minimal routes stop at 1 / (2 h^2) of the links' rate;
# dfval holds nine tenths of what its most loaded channel allows (tests/unit/test_dfval.c has the bounds), however much
# is offered. Lanes that wait for one another across groups take some milliseconds to show it.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

# time_of TIME: it, in ms or us; sanitizers take five times as long, and get a tenth of the milliseconds
time_of() {
	[ -n "${sanitizers-}" ] && echo "${1/%ms/00us}" || echo "$1"
}

# accepted TOPOLOGY LOAD WARM-UP WINDOW ARGUMENT...
accepted() {
	heddle sim "$1" -s traffic.load="$2" -s traffic.pattern=adversarial -s run.warmup="$(time_of "$3")" -s run.measure="$(time_of "$4")" \
		"${@:5}" --no-time --quiet --csv - |
		awk -F, '!/^#/ && !column { for (i = 1; i <= NF; i++) if ($i == "accepted") column = i; next }
			 !/^#/ { print $column }'
}

# between NAME LEAST MOST VALUE; what a tenth of the time gives is any share
between() {
	[ -z "${sanitizers-}" ] || set -- "$1" 0 1 "$4"
	ok "$1: $4" awk -v least="$2" -v most="$3" -v value="$4" \
		'BEGIN { exit !(value != "" && value >= least && value <= most) }'
}

voq=(-s switch.voq=yes)
between "72 hosts, dla" 0.11 0.13 "$(accepted dragonfly:h=2 0.4 1ms 1ms -e dla "${voq[@]}")"
between "342 hosts, dla" 0.05 0.06 "$(accepted dragonfly:h=3 0.4 100us 300us -e dla "${voq[@]}")"

# with no other option: below the bound of 0.525 all of it
between "72 hosts, dfval, load 0.4" 0.39 0.41 "$(accepted dragonfly:h=2 0.4 1ms 2ms -e dfval)"
between "72 hosts, dfval, load 0.7" 0.472 0.525 "$(accepted dragonfly:h=2 0.7 3ms 5ms -e dfval)"
between "72 hosts, dfval, load 1" 0.472 0.525 "$(accepted dragonfly:h=2 1 3ms 5ms -e dfval)"
between "342 hosts, dfval, load 1" 0.436 0.485 "$(accepted dragonfly:h=3 1 1ms 1ms -e dfval)"

# the fewest VLs, one lane for each hop
for rule in "1 0.200 0.222" "2 0.327 0.364" "3 0.480 0.533" "4 0.472 0.525"; do
	read -r lmc least most <<<"$rule"
	between "72 hosts, 3 VLs, LMC $lmc" "$least" "$most" "$(accepted dragonfly:h=2 1 3ms 5ms -e dfval "${voq[@]}" \
		-s routing.max_vls=3 -s routing.lmc="$lmc")"
done
between "72 hosts, 3 VLs, without minimal routes" 0.450 0.500 "$(accepted dragonfly:h=2 1 3ms 5ms -e dfval "${voq[@]}" \
	-s routing.max_vls=3 -s routing.lmc=3 -s routing.options=minimal=off)"

# what switches that take in-ports in turn, whatever the lane, make of it
between "72 hosts, round robin" 0.38 0.525 \
	"$(accepted dragonfly:h=2 1 3ms 5ms -e dfval "${voq[@]}" -s switch.scheduler=rr)"
finish
