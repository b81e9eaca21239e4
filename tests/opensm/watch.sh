# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle watch under a stock OpenSM: links that fail and return, a subnet manager that goes away, tables with credit loops;
# what it prints, the metrics that it gives, and its memory.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
heddle watch --help >/dev/null 2>&1 || {
	echo "1..0 # SKIP heddle is built without libibnetdisc"
	exit 0
}
if heddle watch --once --listen nonsense 2>&1 | grep -q 'without libmicrohttpd'; then
	listens=
else
	listens=yes
fi

at=$scratch/opensm
watcher=

# watch NAME ARGUMENT...: in the background; its lines are in $scratch/NAME
watch() {
	local name=$1
	shift
	rm -f "$scratch/$name" "$scratch/$name.err" # of a watch before, which the new one would empty a moment later
	(cd "$scratch" && exec env LD_PRELOAD="$opensm_preload$umad2sim" heddle watch "$@" >"$scratch/$name" 2>"$scratch/$name.err") &
	watcher=$!
}

stop_watch() { # STATUS of the watch
	local status
	[ -n "$watcher" ] || return 0
	kill "$watcher" 2>/dev/null
	wait_until 20 eval "! kill -0 $watcher" || kill -KILL "$watcher"
	wait "$watcher"
	status=$?
	watcher=
	return "$status"
}
on_exit stop_watch

# once NAME STATUS ARGUMENT...: one round; its lines are in $scratch/NAME
once() {
	local name=$1 wanted=$2 status
	shift 2
	on_fabric heddle watch --once "$@" >"$scratch/$name" 2>"$scratch/$name.err"
	status=$?
	[ "$status" = "$wanted" ] || tap_explain <"$scratch/$name.err"
	is "$name: status" "$status" "$wanted"
}

# value METRIC [FILE]: its value on the page
value() {
	awk -v name="$1" 'index($0, name " ") == 1 { print substr($0, length(name) + 2) }' "${2:-$scratch/metrics}" 2>/dev/null
}

# becomes NAME METRIC VALUE: the page has that value soon
becomes() {
	ok "$1: $2 becomes $3" wait_until 30 eval "[ \"\$(value '$2')\" = '$3' ]"
	[ "$(value "$2")" = "$3" ] || value "$2" | tap_explain
}

# parsed NAME [FILE]: Prometheus takes the page
parsed() {
	if command -v promtool >/dev/null; then
		is "$1: promtool is content" "$(promtool check metrics <"${2:-$scratch/metrics}" 2>&1)" ""
	else
		skip "$1: promtool is content" "promtool is not installed"
	fi
}

# get PATH [METHOD]: what the listener answers
get() {
	exec 9<>"/dev/tcp/127.0.0.1/$port" || return
	printf '%s %s HTTP/1.0\r\n\r\n' "${2:-GET}" "$1" >&9
	timeout 10 cat <&9
	exec 9>&-
}

# resident: memory of the watch in KiB
resident() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/$watcher/status"
}

### A sound fabric
heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net" || exit
configure "$at" "routing_engine dmodc,no_fallback" "event_plugin_options status=$scratch/status"
ok "opensm starts" start_opensm "$at"
ok "it comes up" settled "$at"
ok "the plug-in's tables are confirmed" wait_until 20 grep -q '^confirmed  yes' "$scratch/status"

umask 077
once sound 0 --plan "$scratch/net" --status "$scratch/status" --prometheus "$scratch/metrics" --save "$scratch/now"
umask 022
like "sound: a line" "$(cat "$scratch/sound")" \
	'^20[0-9-]+T[0-9:]+Z  sound; as planned; 8 switches, 16 end nodes, 32 links; busiest link 12 flows \(L0S0\[5\]\); engine dmodc$'
is "sound: nothing on stderr" "$(cat "$scratch/sound.err")" ""
is "the file is for all to read" "$(stat -c %a "$scratch/metrics")" 644
parsed sound
is "sound: hosts" "$(value 'heddle_sound{scope="hosts"}')" 1
is "sound: all" "$(value 'heddle_sound{scope="all"}')" 1
is "sound: the engine" "$(value 'heddle_engine_info{engine="dmodc",routes="dmodc"}')" 1
is "sound: no change" "$(value 'heddle_manager_change{state="idle"}')" 1
is "sound: links" "$(value 'heddle_links{kind="switch"}') $(value 'heddle_links{kind="end"}')" "16 16"
is "sound: cables in place" "$(value heddle_plan_cables_in_place)" 32
ok "the snapshot is one" heddle check "$scratch/now"
cp "$scratch/metrics" "$scratch/all-metrics"

once again 0 --save "$scratch/now" --json
is "as before: nothing differs" "$(python3 -c 'import json, sys
round = json.load(sys.stdin)
print(round["done"], round["sound"], sum(round["changes"].values()))' <"$scratch/again")" "True {'hosts': True, 'all': True} 0"
once page 0 --prometheus -
parsed "on standard output" "$scratch/page"

### alerts and dashboard name the metrics that there are, and all of them
metric_names() {
	grep -ohE '\bheddle_[a-z0-9_]+' "$@" | grep -v '_watch$' | sort -u
}
sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' "$scratch/all-metrics" | sort >"$scratch/names"
metric_names "$top_srcdir/contrib/prometheus/heddle.alerts.yml" "$top_srcdir/contrib/grafana/heddle.json" >"$scratch/names.used"
same "metrics of alerts and dashboard" "$scratch/names.used" "$scratch/names"
metric_names "$top_srcdir/docs/watch.md" >"$scratch/names.told"
same "metrics of docs/watch.md" "$scratch/names.told" "$scratch/names"

### A link fails and returns, the subnet manager goes away
arguments=(--interval 200ms --plan "$scratch/net" --status "$scratch/status" --prometheus "$scratch/metrics" --timeout 100 --tries 2)
[ -z "$listens" ] || arguments+=(--listen 127.0.0.1:0)
rm "$scratch/metrics"
watch lines "${arguments[@]}"
becomes "the first round" heddle_round_success 1
console 'Unlink "L0S0"[5]'
becomes "a link fails" 'heddle_plan_findings{kind="missing"}' 1
becomes "a link fails" 'heddle_links{kind="switch"}' 15
like "a link fails: a line" "$(grep -m 1 gone "$scratch/lines")" 'Z  1 link gone \(L0S0\[5\] - L1S0\[1\]\).*plan: 1 missing \(missing L0S0\[5\] - L1S0\[1\]\)'
becomes "and is routed around" 'heddle_lost_flows' 0
ok "OpenSM has routed again" settled "$at"
console 'ReLink "L0S0"[5]'
becomes "it returns" 'heddle_plan_findings{kind="missing"}' 0
is "it returns: a link was removed" "$(value 'heddle_changes_total{kind="link removed"}')" 1
becomes "it returns" 'heddle_changes_total{kind="link added"}' 1
ok "OpenSM has routed once more" settled "$at"
becomes "it returns" 'heddle_busiest_link_flows' 12
ok "it returns: a line" wait_until 10 grep -q '1 new link (L0S0\[5\] - L1S0\[1\])' "$scratch/lines"

if [ "$listens" ]; then
	port=$(sed -n 's/.*http:\/\/127.0.0.1:\([0-9]*\)\/metrics/\1/p' "$scratch/lines.err")
	like "the port is told" "$port" '^[0-9]+$'
	get /metrics | tr -d '\r' >"$scratch/answer"
	is "GET /metrics" "$(head -n 1 "$scratch/answer")" "HTTP/1.1 200 OK"
	ok "its type" grep -q '^Content-Type: text/plain; version=0.0.4' "$scratch/answer"
	sed '1,/^$/d' "$scratch/answer" >"$scratch/served"
	parsed "the page that is served" "$scratch/served"
	is "it has the values" "$(value 'heddle_sound{scope="all"}' "$scratch/served")" 1
	like "HEAD" "$(get /metrics HEAD | tr -d '\r' | head -n 1)" ' 200 OK$'
	like "another path" "$(get /other | head -n 1)" ' 404 '
	like "another method" "$(get /metrics POST | head -n 1)" ' 405 '
	like "the root tells the path" "$(get / | tail -n 1)" /metrics
	not_ok "a port in use" 2 heddle watch --interval 1s --listen "127.0.0.1:$port"
	like "a port in use: one line" "$(cat "$scratch/.err")" "^heddle[^"$'\n'"]*in use\$"
	is "it listens there alone" "$(awk -v port="$(printf %04X "$port")" '$2 ~ ":" port "$" && $4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6)" \
		"0100007F:$(printf %04X "$port")"
	# connections that say nothing take nothing away from the next
	for _ in 1 2 3 4 5 6 7 8; do exec {idle}<>"/dev/tcp/127.0.0.1/$port" && idles+=("$idle"); done
	like "beside idle connections" "$(get /metrics | head -n 1)" ' 200 OK'
	for idle in "${idles[@]}"; do exec {idle}>&-; done
fi

# another plan
heddle topo tree:k=4,n=2 --fail-links 1 -o "$scratch/less.net" >/dev/null
cp "$scratch/net" "$scratch/plan.net"
ok "opensm stops" stop_opensm
becomes "without a subnet manager" heddle_round_success 0
ok "without a subnet manager: the step" wait_until 10 eval "[ \"\$(value 'heddle_failed_rounds_total{step=\"tables\"}')\" -ge 1 ]"
is "the last values stay" "$(value heddle_switches)" 8
like "a line says so" "$(tail -n 1 "$scratch/lines")" 'Z  failed \(tables\): '
failed=$(wc -l <"$scratch/lines")
sleep 1
is "the same failure is told once" "$(wc -l <"$scratch/lines")" "$failed"
parsed "without a subnet manager"
ok "opensm starts again" start_opensm "$at"
becomes "with one again" heddle_round_success 1
ok "it comes up again" settled "$at"
ok "the watch ends with SIGTERM" stop_watch
is "nothing else on stderr" "$(grep -vc 'metrics at' "$scratch/lines.err")" 0

# a plan that is read again, or not
watch plans --interval 200ms --plan "$scratch/plan.net" --json
ok "the first plan" wait_until 20 grep -q '"as_planned":true' "$scratch/plans"
cp "$scratch/less.net" "$scratch/plan.net"
kill -HUP "$watcher"
ok "the second plan" wait_until 20 grep -q '"as_planned":false' "$scratch/plans"
echo nonsense >"$scratch/plan.net"
kill -HUP "$watcher"
ok "no plan: a line" wait_until 20 grep -q plan.net "$scratch/plans.err"
ok "no plan: the old one stays" kill -0 "$watcher"
ok "that ends with SIGTERM" stop_watch
ok "every line is JSON" python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)' "$scratch/plans"
once "plan" 1 --plan "$scratch/less.net"

### Memory: links that fail and return all the time
rounds=60
[ -z "${HEDDLE_LONG_TESTS-}" ] || rounds=1000
flap() {
	while sleep 0.5; do
		console 'Unlink "L0S1"[6]'
		sleep 0.5
		console 'ReLink "L0S1"[6]'
	done
}
flap &
flapper=$!
on_exit eval "kill $flapper 2>/dev/null"
watch flaps --interval 50ms --rounds $rounds --plan "$scratch/net" --prometheus "$scratch/metrics" --timeout 200
ok "50 rounds" wait_until 100 eval "[ \"\$(value heddle_rounds_total)\" -ge 50 ]"
before=$(resident)
ok "all rounds but a few" wait_until 600 eval "[ \"\$(value heddle_rounds_total)\" -ge $((rounds - 3)) ]"
after=$(resident)
echo "# resident: $before KiB after 50 rounds, $after KiB after $((rounds - 3))"
ok "memory does not grow" test "$after" -le $((before + 1024))
kill "$flapper"
stop_watch
ok "there were changes" test "$(value heddle_changed_rounds_total)" -ge 2
stop_opensm
stop_fabric

### Tables with credit loops
heddle topo torus:6 -o "$scratch/ring.net" >/dev/null
start_fabric simfabric "$scratch/ring.net" || exit
configure "$at" "event_plugin_name (null)" "routing_engine minhop"
ok "minhop: opensm" start_opensm "$at"
ok "minhop: it comes up" wait_log "$at" 'SUBNET UP'
once unsound 1 --prometheus "$scratch/metrics" --json
is "unsound: hosts" "$(value 'heddle_sound{scope="hosts"}')" 0
is "unsound: all" "$(value 'heddle_sound{scope="all"}')" 0
is "unsound: why" "$(value 'heddle_check_findings{kind="credit loop"}')" 1
is "unsound: no plan" "$(value heddle_plan_cables)" ""
parsed unsound
once unsound-line 1
like "unsound: a line" "$(cat "$scratch/unsound-line")" 'Z  unsound: credit loop of '
stop_opensm
once nobody 2 --timeout 100 --tries 1 --prometheus "$scratch/metrics"
is "nobody: a failed round" "$(value heddle_round_success)" 0
is "nobody: no values" "$(value heddle_switches)" ""
parsed nobody
finish
