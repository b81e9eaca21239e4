# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Three subnet managers on one fabric, which hand over, stop, go on, die and lose MADs at random: one that runs is master
# afterwards, and reacts. By a seed (HD_SEED), so that a failure comes again; HD_STEPS says how many.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

own=$plugin_directory/libsimfabric-umad.so
stock=$umad2sim
seed=${HD_SEED:-1}
steps=${HD_STEPS:-50}
[ -z "${HEDDLE_LONG_TESTS-}" ] || steps=${HD_STEPS:-1000}
patience=60 # seconds until a manager reacts; most take less than three

# random N: below N in $drawn, the same with every shell
random() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	drawn=$(((seed >> 12) % $1))
}

kinds=(hangup hangup loss loss handover stop kill kill link)
managers=(0 1 2)
declare -A pids=() directory=()
stopped=
lives=0

heddle topo dragonfly:a=3,p=1,h=1 -o "$scratch/net" >/dev/null
mapfile -t hosts < <(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p;' "$scratch/net")
host_of() { echo "${hosts[$(($1 * 5))]}"; }

# with another priority, and in the second half with any wrapper, each time
start_manager() { # N
	local wrapper=$stock priority
	lives=$((lives + 1))
	# a log is read often: each life has a short one of its own
	[ -z "${directory[$1]-}" ] || rm -rf "${directory[$1]}"
	directory[$1]=$scratch/life$lives
	random 15
	priority=$drawn
	random 2
	[ $((2 * step)) -lt "$steps" ] || [ "$drawn" = 0 ] || wrapper=$own
	configure "${directory[$1]}" "routing_engine dla" "sm_priority $priority" "sminfo_polling_timeout 300" "polling_retry_number 2"
	(
		umad2sim=$wrapper
		SIM_HOST=$(host_of "$1") launch "${directory[$1]}"
	) &
	pids[$1]=$!
}

end_manager() { # N SIGNAL
	kill "-$2" "${pids[$1]}"
	[ "$stopped" != "$1" ] || stopped=
	wait_until 20 eval "! kill -0 ${pids[$1]}" || kill -KILL "${pids[$1]}"
	wait "${pids[$1]}"
	unset "pids[$1]"
} 2>/dev/null

end_all() {
	local n
	for n in "${!pids[@]}"; do
		end_manager "$n" KILL
	done
}
on_exit end_all

# the managers that are master, and run
masters() {
	local n
	for n in "${!pids[@]}"; do
		[ "$n" != "$stopped" ] &&
			[ "$(grep -aoE 'Entering [A-Z]+ state' "${directory[$n]}/log" 2>/dev/null | tail -n 1)" = "Entering MASTER state" ] &&
			echo "$n"
	done
}

ups() { # N
	grep -ac 'SUBNET UP' "${directory[$1]}/log"
}

# one that runs is master, and a sweep that is asked of it comes to its end
reacts() {
	local n before since=$SECONDS
	while [ $((SECONDS - since)) -lt "$patience" ]; do
		n=$(masters | head -n 1)
		if [ -z "$n" ]; then
			pause 0.1
			continue
		fi
		before=$(ups "$n")
		kill -HUP "${pids[$n]}"
		wait_lines 3 $((before + 1)) 'SUBNET UP' "${directory[$n]}/log" && return
	done
	echo "# no manager reacts after '$what', step $step; managers run: ${!pids[*]}, stopped: ${stopped:-none}"
	for n in "${!pids[@]}"; do
		tail -n 3 "${directory[$n]}/log" | tap_explain
	done
	[ -z "${HD_KEEP-}" ] || cp -r "$scratch" "$HD_KEEP"
	return 1
}

one_master() { [ "$(masters | wc -l)" = 1 ]; }

linger() { # up to N tenths of a second
	random "$1"
	pause $((drawn / 10)).$((drawn % 10))
}

go_on() {
	[ -z "$stopped" ] || kill -CONT "${pids[$stopped]}"
	stopped=
}

disturb() { # KIND N
	case $1 in
	hangup) kill -HUP "${pids[$2]}" ;;
	loss)
		random 2
		console "Drop \"$(host_of "$2")\"[1] $([ "$drawn" = 0 ] && echo 1 || echo 0.5)"
		kill -HUP "${pids[$2]}"
		linger 15
		console "Drop \"$(host_of "$2")\"[1] 0"
		;;
	handover)
		end_manager "$2" TERM
		start_manager "$2"
		;;
	kill)
		end_manager "$2" KILL
		linger 5
		start_manager "$2"
		;;
	stop)
		kill -STOP "${pids[$2]}"
		stopped=$2
		linger 10
		;;
	link)
		console 'Unlink "G0S0"[2]'
		linger 10
		console 'ReLink "G0S0"[2]'
		;;
	esac
}

start_fabric simfabric "$scratch/net" || exit
step=0
for manager in "${managers[@]}"; do
	start_manager "$manager"
done
what=start
ok "a master comes up" reacts
reacted=0
for step in $(seq "$steps"); do
	# one that is stopped stays so for one more step, or two
	random 3
	[ "$drawn" = 0 ] || go_on
	random ${#kinds[@]}
	kind=${kinds[$drawn]}
	random ${#managers[@]}
	manager=${managers[$drawn]}
	[ "$manager" != "$stopped" ] || go_on
	[ "$kind" != stop ] || go_on
	what="$kind $manager"
	[ -z "${HD_VERBOSE-}" ] || echo "# $SECONDS s: step $step, $what, stopped ${stopped:-none}, masters $(masters | xargs)"
	disturb "$kind" "$manager"
	reacts || break
	reacted=$((reacted + 1))
done
is "after each of $steps disturbances a manager reacts (seed ${HD_SEED:-1})" "$reacted" "$steps"
go_on
ok "in the end there is one master" wait_until "$patience" one_master
what=end
ok "it reacts" reacts
ok "all managers live" kill -0 "${pids[@]}"
echo "# $reacted disturbances in $SECONDS s"
finish
