# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Of a Set of an SL2VL row that nobody answers OpenSM keeps zeros, whatever was in the Set. Where the next tables want zeros,
# the row is asked for and sent all the same: at an in-port without a link, which nobody waits for, and where another engine
# has routed, whose answers nobody looks at. There it is the same with VL arbitration.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

rows_of() { # VL: qos_sl2vl that puts all SLs on it
	local rows
	rows=$(printf "$1,%.0s" $(seq 16))
	echo "qos_sl2vl ${rows%,}"
}

# VLs that rows of the switch from in-port $1 use
held() {
	read_sl2vl | awk -v switch="0x$guid" -v in_port="$1" '
		$1 == switch && $2 == in_port { for (i = 4; i <= NF; i++) vls[$i] = 1 }
		END { for (vl in vls) printf "%s ", vl; print "" }'
}

sweep() {
	marked=$(wc -l <"$at/log")
	kill -HUP "$opensm_pid"
}

# A sweep with other QoS options: another VL for all SLs, another weight.
sweep_with() { # LINE
	sed -i "/^${1%% *} /d" "$at/opensm.conf"
	echo "$1" >>"$at/opensm.conf"
	sweep
}

tell() { # COMMAND...
	local command
	for command in "$@"; do
		console "$command"
	done
	obeyed
}

# Waits until the log says it, since the last sweep began.
said() { # REGEX
	wait_until 60 eval "tail -n +$((marked + 1)) '$at/log' | grep -qE '$1'"
}

guid=0001000000000007 # G2S1
heddle topo dragonfly:a=3,p=1,h=1 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net" || exit

at=$scratch/no-link
configure "$at" "routing_engine heddle-updn,no_fallback" "$(rows_of 1)"
ok "no link: opensm starts" start_opensm "$at"
ok "no link: it is settled" settled "$at"
is "no link: rows have VL 1" "$(held 2)" "1 "
tell "Unlink \"S-$guid\"[2]"
sweep
ok "no link: the link is down" said 'SUBNET UP'
settled "$at"
tell "Error \"S-$guid\" 100 23"
sweep_with "$(rows_of 2)"
ok "no link: Sets are lost" said 'heddle: .* unconfirmed'
tell "Error \"S-$guid\" 0 0"
sweep_with "$(rows_of 0)"
ok "no link: a sweep" said 'tables configured'
ok "no link: it is settled again" settled "$at"
tell "ReLink \"S-$guid\"[2]"
sweep
ok "no link: the link is back" said 'tables configured'
settled "$at"
is "no link: rows have VL 0" "$(held 2)" "0 "

# Where its rows are lost again and again, the new link stays down for ten seconds, and then comes up.
link_state() {
	local lid
	lid=$(on_fabric ibnetdiscover | sed -nE "s/^Switch.*\"S-$guid\".* port 0 lid ([0-9]+) .*/\1/p")
	on_fabric smpquery portinfo "$lid" 2 | sed -n 's/^LinkState:\.*//p'
}
# Lines of the log since the losses began: the link's return may start a sweep of its own.
lines_since() { # REGEX
	tail -n +$((began + 1)) "$at/log" | grep -cE "$1"
}
unlinked() {
	tell "Unlink \"S-$guid\"[2]"
	sweep
	ok "$1: it is down" said 'SUBNET UP'
}
# relinked NAME VL: it returns, and its switch does not answer Sets of rows
relinked() {
	began=$(wc -l <"$at/log")
	tell "Error \"S-$guid\" 100 23" "ReLink \"S-$guid\"[2]"
	sweep_with "$(rows_of "$2")"
	ok "$1: it stays down" wait_until 60 eval '[ "$(lines_since "1 new links of 1 switches stay down")" -ge 1 ]'
	# unless it has come up in time, on a slow machine
	state=$(link_state)
	lines=$(lines_since 'stay down')
	ok "$1: so its port says" test "$state" = Initialize -o "$lines" -gt 1
}
unlinked "new link"
settled "$at"
relinked "new link" 3
ok "new link: it comes up" wait_until 60 eval '[ "$(link_state)" = Active ]'
ok "new link: some sweeps later" test "$(lines_since 'stay down')" -gt 1
tell "Error \"S-$guid\" 0 0"
sweep
ok "new link: it is settled" settled "$at"
is "new link: rows have VL 3" "$(held 2)" "3 "
# Where another switch has not confirmed for long, a change goes on without: the link stays down all the same.
began=$(wc -l <"$at/log")
tell "Error \"S-000100000000000b\" 100 23"
sweep_with "$(rows_of 1)"
ok "new link, later: a change goes on without" wait_until 60 eval '[ "$(lines_since "change over: .*not confirmed")" -ge 1 ]'
unlinked "new link, later"
relinked "new link, later" 2
tell "Error \"S-$guid\" 0 0" "Error \"S-000100000000000b\" 0 0"
sweep
ok "new link, later: it is settled" settled "$at"
ok "new link, later: it comes up" wait_until 60 eval '[ "$(link_state)" = Active ]'
is "new link, later: rows have VL 2" "$(held 2)" "2 "
stop_opensm

# The weights of high priority at the switch's port 2.
weights() {
	local lid
	lid=$(on_fabric ibnetdiscover | sed -nE "s/^Switch.*\"S-$guid\".* port 0 lid ([0-9]+) .*/\1/p")
	on_fabric smpquery vlarb "$lid" 2 2>/dev/null | sed -n 's/^WEIGHT: //p' | tail -n 1
}

# Without its links group 3 is none: dla refuses, and OpenSM takes minhop.
at=$scratch/minhop
links=('"S-0001000000000009"[2]' '"S-0001000000000009"[3]' '"S-000100000000000a"[3]')
none='|0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |'
some='|0xFF|0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |'
configure "$at" "routing_engine dla,minhop" "$(rows_of 1)" "qos_vlarb_high 0:255"
ok "minhop: opensm starts" start_opensm "$at"
ok "minhop: it is settled" settled "$at"
is "minhop: rows of dla have VL 0" "$(held 2)" "0 "
is "minhop: nothing has high priority with dla" "$(weights)" "$none"

# lost NAME ATTRIBUTE LINE: the switch does not answer Sets of minhop with other options
lost() {
	tell "${links[@]/#/Unlink }"
	sweep
	ok "$1: minhop routes" said 'minhop tables configured'
	settled "$at"
	is "$1: rows have VL 1" "$(held 2)" "1 "
	is "$1: VL 0 has high priority" "$(weights)" "$some"
	tell "Error \"S-$guid\" 100 $2"
	sweep_with "$3"
	ok "$1: minhop routes again" said 'minhop tables configured'
	ok "$1: the subnet is up" said 'SUBNET UP'
	tell "Error \"S-$guid\" 0 0"
	is "$1: rows still have VL 1" "$(held 2)" "1 "
	is "$1: VL 0 still has high priority" "$(weights)" "$some"
	tell "${links[@]/#/ReLink }"
	sweep
	ok "$1: dla routes" said 'dla tables configured'
	ok "$1: it is settled again" settled "$at"
	is "$1: rows have VL 0" "$(held 2)" "0 "
	is "$1: nothing has high priority" "$(weights)" "$none"
}

lost "VL arbitration" 24 "qos_vlarb_high 0:9"
sed -i 's/^qos_vlarb_high .*/qos_vlarb_high 0:255/' "$at/opensm.conf"
lost "SL2VL" 23 "$(rows_of 2)"
stop_opensm
stop_fabric
finish
