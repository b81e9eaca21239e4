#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle watch, round by round, after an OpenSM that has gone or not; tests/opensm/watch.sh has rounds under a living one.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
heddle watch --help >/dev/null 2>&1 || {
	echo "1..0 # SKIP heddle is built without libibnetdisc"
	exit 0
}
listens=yes
! heddle watch --once --listen nonsense 2>&1 | grep -q 'without libmicrohttpd' || listens=

# bad usage: one line, before any fabric is asked
for interval in 0 -1 x 1 9ms 25h 1e9s ''; do
	not_ok "--interval '$interval'" 2 heddle watch --interval "$interval"
	is "--interval '$interval': one line" "$(wc -l <"$scratch/.err")" 1
done
refused() { # NAME REGEX ARGUMENT...
	not_ok "$1" 2 timeout 20 heddle watch --interval 1s "${@:3}"
	like "$1: one line" "$(cat "$scratch/.err")" "^heddle[^"$'\n'"]*$2[^"$'\n'"]*\$"
}
refused "a plan that is not there" "none.net" --plan "$scratch/none.net"
refused "a plan from standard input" "standard input" --plan -
refused "a file in no directory" "$scratch/none/file" --prometheus "$scratch/none/file"
refused "JSON and metrics on standard output" "both want standard output" --json --prometheus -
refused "--once and --rounds" "do not go together" --once --rounds 3
refused "--rounds 0" "rounds" --rounds 0
refused "a snapshot that is none" "$scratch" --save "$scratch"
if [ "$listens" ]; then
	for where in 9861 :9861 127.0.0.1 127.0.0.1: 127.0.0.1:x 127.0.0.1:70000 ::1:9861; do
		refused "--listen $where" "listen" --listen "$where"
	done
	refused "a name that is none" "listen" --listen name.invalid:9861
fi

says "an argument" "no arguments, not 'x'" heddle watch --once x
says "another scope" "neither hosts nor all" heddle watch --once --scope some
says "no time to begin" "no --interval TIME given, nor --once" heddle watch --json
not_ok "no port of InfiniBand" 2 heddle watch --once
like "that is a line" "$(cat "$scratch/.out")" 'Z  failed \(discovery\): libibnetdisc discovers nothing'
[ "$listens" ] || says "without libmicrohttpd" "--prometheus FILE works without" heddle watch --once --listen 127.0.0.1:0

if ! command -v opensm >/dev/null; then
	skip "rounds" "opensm is not installed"
	finish
	exit
fi
# what Debian's libraries read beyond buffers and do not free is not ours to judge
printf 'interceptor_via_lib:libumad2sim\n' >"$scratch/asan.suppressions"
printf 'leak:libibnetdisc\n' >"$scratch/lsan.suppressions"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}suppressions=$scratch/asan.suppressions
export LSAN_OPTIONS=suppressions=$scratch/lsan.suppressions:print_suppressions=0
cd "$scratch" || exit 99

# session FABRIC ENGINE COMMAND: on an emulated fabric whose tables an opensm has sent
session() {
	timeout 100 simfabric "$1" -- bash -c "opensm -o -R $2 -f log >opensm.out 2>&1; $3" >out 2>err
	echo $? >status
}
# page KEY: the value of a line of metrics in file metrics
page() {
	sed -n "s/^$1 //p" metrics
}
field() { # FILTER of r, a round; of the Nth line of JSON (1)
	sed -n "${2:-1}p" out | python3 -c "import json, sys
r = json.load(sys.stdin)
print($1)"
}

# between hosts: ftree has no routes between some switches
session tree:k=3,n=2 ftree 'heddle watch --once --no-path-sls --scope hosts --plan tree:k=3,n=2 --save now --prometheus metrics'
is "hosts: status" "$(cat status)" 0
like "hosts: a line" "$(cat out)" 'Z  sound between hosts; with switches: no path.*; as planned; 6 switches, 9 end nodes, 18 links; busiest link [0-9]+ flows'
is "hosts: verdicts" "$(page 'heddle_sound{scope="hosts"}') $(page 'heddle_sound{scope="all"}')" "1 0"
ok "hosts: findings" test "$(page 'heddle_check_findings{kind="no path"}')" -gt 0
is "hosts: no status file, no metrics of it" "$(grep -c manager metrics)" 0
is "mode" "$(stat -c %a metrics)" 644

# all of it, with another fabric before
heddle topo tree:k=3,n=2 --fail-links 2 -o less.net >/dev/null 2>&1
printf 'engine  a"b\\c\nroutes  dmodc\nconfirmed  no\nchange  round\nsince  2026-11-26T02:40:11Z\nround  2 of 3\nfailures  1\nlosing  4 pairs of hosts\n' >state
session less.net updn 'heddle watch --once --no-path-sls --plan tree:k=3,n=2 --save now --status state --prometheus metrics'
is "less: status" "$(cat status)" 1
like "less: changes" "$(cat out)" 'Z  2 links gone \([^()]* - [^()]*, \.\.\.\), .*LFT entr.*; plan: 2 missing \(missing [^()]*\); 6 switches, 9 end nodes, 16 links'
like "less: the plug-in" "$(cat out)" '; engine dmodc, not confirmed, change under way: round 2 of 3$'
ok "less: labels are escaped" grep -qxF 'heddle_engine_info{engine="a\"b\\c",routes="dmodc"} 1' metrics
is "less: the round" "$(page heddle_manager_change_round) $(page heddle_manager_change_rounds) $(page 'heddle_manager_change{state="round"}')" "2 3 1"
is "less: the rest" "$(page heddle_manager_confirmed) $(page heddle_manager_change_failures) $(page heddle_manager_change_losing_pairs)" "0 1 4"
is "less: since" "$(page heddle_manager_change_since_timestamp_seconds)" 1795660811
is "less: links" "$(page 'heddle_changes_total{kind="link removed"}') $(page 'heddle_plan_findings{kind="missing"}')" "2 2"
if command -v promtool >/dev/null; then
	is "less: promtool is content" "$(promtool check metrics <metrics 2>&1)" ""
fi

# back again, as JSON
session tree:k=3,n=2 updn 'heddle watch --interval 20ms --rounds 3 --no-path-sls --plan less.net --save now --json --status none'
is "JSON: status" "$(cat status)" 1
is "JSON: a line for each round" "$(wc -l <out)" 3
is "JSON: links" "$(field 'r["changes"]["links_added"], r["plan"]["findings"]["extra"], r["plan"]["as_planned"]')" "2 2 False"
is "JSON: nothing more" "$(field 'sum(r["changes"].values()), r["done"], r["sound"]["hosts"], "status" in r' 3)" "0 True True False"

# a plan of something else: the rest of the round is known
session tree:k=3,n=2 updn 'heddle watch --once --no-path-sls --plan torus:3x3,p=0 --prometheus metrics; heddle watch --once --no-path-sls --json --plan torus:3x3,p=0'
is "another plan: status" "$(cat status)" 2
like "another plan: a line" "$(head -n 1 out)" 'sound.*failed \(comparison\)'
is "another plan: metrics" "$(page 'heddle_failed_rounds_total{step="comparison"}') $(page heddle_switches) $(page heddle_plan_cables)" "1 6 "
is "another plan: JSON" "$(field 'r["done"], r["failed"], r["switches"]' 2)" "False comparison 6"

# nobody has path records any more
session tree:k=3,n=2 updn 'heddle watch --once --timeout 50 --tries 1 --json --prometheus metrics'
is "nobody: status" "$(cat status)" 2
is "nobody: JSON" "$(field 'r["done"], r["failed"], "sound" in r')" "False tables False"
is "nobody: metrics" "$(page heddle_round_success) $(page heddle_switches)" "0 "

# a signal ends a round that reads, at once: it has not failed
timeout 100 simfabric dragonfly:a=12,p=6,h=6 -- bash -c '
	heddle watch --interval 1s --window 1 --prometheus ended & watcher=$!
	sleep 0.5; kill $watcher; wait $watcher; echo $?; test -e ended; echo $?
	heddle watch --once --window 1 & watcher=$!; sleep 0.5; kill $watcher; wait $watcher; echo $?' >out 2>err
is "a signal in a round: 0, and no page; 2 of --once" "$(paste -s -d ' ' out)" "0 1 2"
is "a signal in a round: nothing on stderr" "$(cat err)" ""

# a ring whose tables wait in a circle
session torus:6 minhop 'heddle watch --once --no-path-sls --json; heddle watch --once --no-path-sls'
is "ring: status" "$(cat status)" 1
is "ring: JSON" "$(field 'r["sound"], r["findings"]["credit loop"]')" "{'hosts': False, 'all': False} 1"
like "ring: a line" "$(tail -n 1 out)" 'Z  unsound: credit loop of '

# outputs that cannot be written
session tree:k=3,n=2 updn 'mkdir full; heddle watch --once --no-path-sls --prometheus /dev/full; echo $?; heddle watch --once --no-path-sls >/dev/full; echo $?; heddle watch --once --no-path-sls --prometheus - >metrics; head -n 1 metrics'
is "a full device: status" "$(sed -n 2p out)" 2
is "a full standard output: status" "$(sed -n 3p out)" 2
like "metrics alone on standard output" "$(sed -n 4p out)" '^# HELP heddle_'
is "each is said once" "$(grep -c 'cannot write' err)" 2

# over HTTP, on IPv6 too where there is some
if [ "$listens" ]; then
	cat >ask <<-'END'
		port=$(sed -n 's/.*:\([0-9]*\)\/metrics$/\1/p' watch.err)
		for path in /metrics / /other; do
			exec 9<>"/dev/tcp/$1/$port"
			printf 'GET %s HTTP/1.0\r\n\r\n' "$path" >&9
			tr -d '\r' <&9
			exec 9>&-
		done
		exec 9<>"/dev/tcp/$1/$port"
		printf 'DELETE /metrics HTTP/1.0\r\n\r\n' >&9
		tr -d '\r' <&9
	END
	serve='rm -f watch.out watch.err # of the session before
		heddle watch --interval 200ms --no-path-sls --listen ADDRESS:0 >watch.out 2>watch.err & watcher=$!
		# a good round; the page of one that fails has no numbers
		for i in $(seq 400); do grep -q " switches" watch.out && break; sleep 0.05; done
		for i in $(seq 20); do
			bash ask HOST >asked; grep -q "^heddle_switches " asked && break
			echo "asked again: $(grep failed watch.out | tail -n 1)"; sleep 0.3
		done; cat asked; kill -HUP $watcher; sleep 0.3; kill $watcher; wait $watcher'
	loops=(127.0.0.1)
	[ ! -e /proc/net/if_inet6 ] || ! grep -q ' lo$' /proc/net/if_inet6 || loops+=(::1)
	for loop in "${loops[@]}"; do
		address=$loop
		[[ $loop != *:* ]] || address="[$loop]"
		text=${serve//ADDRESS/$address}
		session tree:k=3,n=2 updn "${text//HOST/$loop}"
		is "HTTP $loop: ends with 0" "$(cat status)" 0
		is "HTTP $loop: answers" "$(sed -n 's/^HTTP[^ ]* \([0-9]*\) .*/\1/p' out | paste -s -d ' ')" "200 200 404 405"
		# why a round has failed is not known: the next that does says it
		sed -n 's/^asked again: /# a failed round: /p' out
		ok "HTTP $loop: the page" grep -qx 'heddle_switches 6' out
		grep -qx 'heddle_switches 6' out || sed 's/^/# /' watch.out watch.err err out
		like "HTTP $loop: the address" "$(cat watch.err)" "^heddle: metrics at http://.*${loop##*:}\]?:[0-9]+/metrics\$"
	done
	# a round forks; what the thread that serves holds then would be held in the child for ever
	session tree:k=3,n=2 updn 'rm -f watch.out watch.err
		heddle watch --interval 10ms --no-path-sls --listen 127.0.0.1:0 >watch.out 2>watch.err & watcher=$!
		rounds() { bash ask 127.0.0.1 | sed -n "s/^heddle_rounds_total //p"; }
		for i in $(seq 400); do grep -q " switches" watch.out && break; sleep 0.05; done
		for i in $(seq 100); do rounds >before; done
		for i in $(seq 400); do [ "$(rounds)" -gt $(($(cat before) + 2)) ] && echo rounds go on && break; sleep 0.05; done
		kill $watcher; wait $watcher'
	is "rounds go on while pages are asked for" "$(cat status) $(cat out)" "0 rounds go on"
	session tree:k=3,n=2 updn 'rm -f watch.out watch.err
		heddle watch --interval 1s --no-path-sls --listen 127.0.0.1:0 >watch.out 2>watch.err & watcher=$!
		for i in $(seq 200); do [ -s watch.out ] && break; sleep 0.05; done
		heddle watch --once --no-path-sls --listen 127.0.0.1:$(sed -n "s/.*:\([0-9]*\)\/metrics$/\1/p" watch.err); status=$?
		kill $watcher; exit $status'
	is "a port in use: status" "$(cat status)" 2
	like "a port in use: a line" "$(cat err)" '^heddle: --listen: 127.0.0.1:[0-9]+: Address already in use$'
fi
finish
