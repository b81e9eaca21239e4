# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links of a 72-host dragonfly flap at random under an opensm that runs: nothing crashes, and when all are
# back, the tables are those of a fresh bring-up. HD_FLAPS, HD_SEED: how many, and which.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_both

flaps=${HD_FLAPS:-1000}
seed=${HD_SEED:-1}
pause=0.02 # twice per flap; OpenSM takes some of them one by one, and many at once when it is busy

# "NODE"[PORT] of one end of every link but the SM's own
links() {
	awk -v host="$SIM_HOST" '
		/^(Switch|Ca)/ { match($0, /"[^"]*"/); node = substr($0, RSTART, RLENGTH) }
		/^\[/ {
			match($0, /"[^"]*"/); peer = substr($0, RSTART, RLENGTH)
			match($0, /^\[[0-9]+\]/)
			if (node < peer && node != "\"" host "\"" && peer != "\"" host "\"")
				print node substr($0, RSTART, RLENGTH)
		}' "$1"
}

# Up to four links are down at a time; the last ones come back at the end.
flap_script() {
	links "$scratch/net" | awk -v n="$flaps" -v seed="$seed" '
		{ link[NR] = $0 }
		END {
			srand(seed)
			for (i = 0; i < n; i++) {
				do l = int(1 + rand() * NR); while (l in down)
				down[l] = 1
				queue[i] = l
				print "Unlink " link[l]
				if (i >= 3) {
					print "ReLink " link[queue[i - 3]]
					delete down[queue[i - 3]]
				}
			}
			for (i = n < 3 ? 0 : n - 3; i < n; i++)
				print "ReLink " link[queue[i]]
		}'
}

flap() {
	local command
	while read -r command; do
		console "$command" || return
		read -r -t "$pause" <>"$scratch/never"
	done <"$scratch/flaps"
	return 0
}

fresh() { # DIRECTORY
	configure "$1" "routing_engine dla,updn"
	ok "a fresh bring-up" opensm_once "$1"
	read_back "$1"
}

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
mkfifo "$scratch/never"
at=$scratch/opensm
start_fabric "$candidate" "$scratch/net" || exit
flap_script >"$scratch/flaps"
is "as many links go down as come back" "$(grep -c '^Unlink' "$scratch/flaps")" \
	"$(grep -c '^ReLink' "$scratch/flaps")"
configure "$at" "routing_engine dla,updn"
ok "opensm starts" start_opensm "$at"
settled "$at"
ok "$flaps flaps with seed $seed" flap
ok "the simulator is alive" kill -0 "$fabric_pid"
ok "opensm is alive" kill -0 "$opensm_pid"
settled "$at"
# whatever OpenSM missed in the last flaps, a heavy sweep finds
before=$(routings "$at")
kill -HUP "$opensm_pid"
ok "a last sweep" wait_log "$at" 'tables configured' $((before + 1))
ok "the subnet comes up" settled "$at"
echo "# $(routings "$at") times OpenSM configured tables"
is "dla at last" "$(tables_configured "$at")" dla
read_back "$at"
ok "opensm stops" stop_opensm
stop_fabric
start_fabric "$candidate" "$scratch/net"
fresh "$scratch/fresh"
for table in lfts sl2vl; do
	ok "$table were read" test -s "$at/$table"
	same "$table are those of a fresh bring-up" "$at/$table" "$scratch/fresh/$table"
done
finish
