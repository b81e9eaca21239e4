# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Histories of emulated fabrics under stock OpenSM with the plug-in: what the states that a change passes through
# look like when switches take Sets in any order.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
cd "$scratch" || exit 99

# run NAME SPEC ENGINE OPTIONS LINE...: OpenSM with ENGINE on SPEC, and the LINEs as script; its history is NAME
run() {
	local name=$1 spec=$2 engine=$3 options=$4
	shift 4
	printf '%s\n' "$@" 'sm+12s Quit' >"$name.script"
	configure "$scratch/$name.opensm" "routing_engine $(in_opensm "$engine"),no_fallback" "event_plugin_options $options" "max_wire_smps2 64"
	timeout 60 simfabric "$spec" -s "history-$$" --history "$name" --script "$name.script" --quiet -- \
		env OSM_TMP_DIR="$scratch/$name.opensm/cache" OSM_CACHE_DIR="$scratch/$name.opensm/cache" \
		LD_LIBRARY_PATH="$plugin_directory" opensm -F "$scratch/$name.opensm/opensm.conf" -f "$scratch/$name.log" \
		>/dev/null 2>"$name.err"
	heddle check --quiet --json --history "$name" >"$name.json" 2>>"$name.err"
}

number() { # NAME KEY
	sed -n "s/^  \"$2\": \([0-9]*\),*$/\1/p" "$1.json"
}

# What a switch holds at the end of a history: the out-port to LID.
entry() { # NAME GUID LID
	awk -v guid="$2" -v lid="$3" '$1 == "set" { node = $3 } $1 == "of" { node = $2 }
		$1 == "lft" && node == guid && $2 == lid { out = $4 } END { print out }' "$1"
}

# Failures and returns of global links, whose routes move: a quarter of the states or so have a loop.
failures=('sm+2s Down "G0S1"[6]' 'sm+4s Up "G0S1"[6]' 'sm+6s Down "G3S2"[7]' 'sm+8s Up "G3S2"[7]')
run shuffled dragonfly:a=4,p=2,h=2 dla transition=off 'sm+1s Shuffle 20ms 3' 'sm+1s Delay "G1S0" 30ms' "${failures[@]}"
is "shuffled: a file that can be read" "$(head -n 1 shuffled)" "heddle-history 1"
ok "shuffled: four changes" test "$(grep -cE '^(un)?plug ' shuffled)" = 4
ok "shuffled: states" test "$(number shuffled states)" -gt 50
ok "shuffled: some loop" test "$(number shuffled looping)" -gt 0
ok "shuffled: not all of them" test "$(number shuffled looping)" -lt "$(number shuffled states)"
not_ok "shuffled: unsound" 1 heddle check --quiet --history shuffled
like "shuffled: the first is of a Set" "$(heddle check --history shuffled)" "line [0-9]+\): set G[0-9]S[0-9], LinearForwardingTable"
like "shuffled: with a circle" "$(heddle check --history shuffled)" "go round here"
echo "# dragonfly, dla: $(number shuffled looping) of $(number shuffled states) states loop, $(number shuffled cyclic) have a cycle"

# In rounds, as is the default, the same never loops: not for a moment.
run rounds dragonfly:a=4,p=2,h=2 dla transition=rounds 'sm+1s Shuffle 20ms 3' 'sm+1s Delay "G1S0" 30ms' "${failures[@]}"
ok "rounds: four changes" test "$(grep -cE '^(un)?plug ' rounds)" = 4
ok "rounds: states" test "$(number rounds states)" -gt 50
ok "rounds: no state loops" heddle check --quiet --history rounds

# No change of routes, no loop: links of hosts.
run sound dragonfly:a=4,p=2,h=2 dla transition=off 'sm+1s Shuffle 20ms 3' 'sm+2s Down "H-00010"' 'sm+4s Up "H-00010"'
ok "hosts alone: sound" heddle check --quiet --history sound
ok "hosts alone: states" test "$(number sound states)" -gt 10

# A loop that is planted at its end, for the LID of the last host: two neighbours send it to one another.
a=0x0001000000000000 b=0x0001000000000001
lid=$(awk '$1 == "of" { node = $2 } $1 == "set" { node = $3 } $1 == "port" && $3 == "lid" && node ~ /^0x0002/ { lid = $5 }
	END { print lid }' sound)
to_b=$(awk -v a="$a" -v b="$b" '$1 == "of" { node = $2 } node == a && $3 == "link" && $5 ~ b { print $2; exit }' sound)
to_a=$(awk -v a="$a" -v b="$b" '$1 == "of" { node = $2 } node == b && $3 == "link" && $5 ~ a { print $2; exit }' sound)
for which in "$a $to_b" "$b $to_a"; do
	guid=${which% *}
	printf 'set 99.000000000 %s LinearForwardingTable 0x0 0x0 1\nlft %s %s %s\n' "$guid" "$lid" "$(entry sound "$guid" "$lid")" \
		"${which#* }"
done | cat sound - >planted
not_ok "planted: found" 1 heddle check --quiet --history planted
heddle check --history planted >planted.out
like "planted: in one state" "$(cat planted.out)" "forwarding loops in 1 states"
like "planted: when" "$(cat planted.out)" "at 99.000000000 s .* set G0S1, LinearForwardingTable"

heddle check --quiet --json --history planted --since 98.5s >since.json
is "since: the planted one alone" "$(number since unsound)" 1
ok "since: the others are counted apart" test "$(number since before)" -gt 10
like "since: a stretch" "$(tr -d ' \n' <since.json)" '"stretches":\[\{"first":3,"begin":99.0,"end":99.0,"states":1,"looping":1,'
not_ok "since: without a history" 2 heddle check --since 1s torus:6x6

# On a torus, whose routes move in dimension order.
heddle route torus:6x6 -e hdor -o torus.tables >/dev/null # whose path SLs stay
for transition in off rounds; do
	run torus torus:6x6 hdor transition=$transition 'sm+1s Shuffle 20ms 5' 'sm+2s Down "S1.1"[3]' 'sm+5s Up "S1.1"[3]'
	echo "# torus, hdor, $transition: $(number torus looping) of $(number torus states) states loop, $(number torus cyclic) have a cycle"
	ok "torus, $transition: states" test "$(number torus states)" -gt 20
done
ok "torus, rounds: no state loops or has a cycle" heddle check --quiet --history torus torus.tables

# Packets that live for longer than a round meet those of the next. With a pause between rounds they are gone by then.
heddle route torus:5x5 -e updn -o updn.tables >/dev/null
for pause in 300 0; do
	run paused torus:5x5 updn "transition=rounds pause=$pause" 'sm+1s Shuffle 20ms 7' 'sm+2s Down "S1.1"[3]' 'sm+6s Up "S1.1"[3]'
	status=0
	heddle check --json --history paused --since 2s --life 250ms updn.tables >paused.json || status=$?
	echo "# torus, updn, pause=$pause: $(number paused windows_unsound) of $(number paused windows) windows of 250 ms unsound," \
		"$(number paused windows_looping) with a loop, $(number paused windows_cyclic) with a cycle; $(number paused states) states"
	[ $pause = 300 ] || continue
	is "life: with a pause between rounds, no window is unsound" "$status" 0
	ok "life: there were states" test "$(number paused states)" -gt 20
	is "life: all windows are asked as a whole" "$(number paused windows_third_value) $(number paused windows_other_lids)" "0 0"
	is "life: it is told" "$(number paused life_ns)" 250000000
done
not_ok "life: of all states at once, some mixture is unsound" 1 heddle check --quiet --history shuffled --life 1h
like "life: which is shown" "$(heddle check --history shuffled --life 1h)" "first window +states [0-9]+ to [0-9]+: the first was over at"
not_ok "life: without a history" 2 heddle check --life 1s torus:6x6
not_ok "life: none" 2 heddle check --history shuffled --life 0

# Cut anywhere: what is there is proved.
head -c $(($(stat -c %s shuffled) - 100)) shuffled >ended
heddle check --history ended >ended.out 2>ended.err
like "cut: said" "$(cat ended.err)" "the record is not all there"
printf 'nonsense\n' | cat - shuffled >bad
not_ok "no history" 2 heddle check --history bad
like "no history: said" "$(heddle check --history bad 2>&1)" "bad:1: no history"
finish
