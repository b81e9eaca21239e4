# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the site says of lanes and shares cannot be had: a class file that is none, an option that nobody understands. Engines of ours
# send nothing, and OpenSM does not fall back to minhop: no state is unsound; with strict=off they route without it. Both are said.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

heddle topo dragonfly:a=3,p=1,h=1 -o "$scratch/net" >/dev/null
printf '[class a]\nshare = 30%%\n[class b]\nshare = 70%%\ndefault = yes\n' >"$scratch/good"

# begin NAME LINE...: opensm on a fabric of its own
begin() {
	at=$scratch/$1
	history=$at.history
	shift
	start_fabric simfabric "$scratch/net" --history "$history"
	configure "$at" "routing_engine dla" "sweep_interval 2" "$@"
	(launch "$at") &
	opensm_pid=$!
}

end() { # NAME: nothing was unsound
	ok "$1: no state was unsound" heddle check --quiet --history "$history"
	stop_opensm
	stop_fabric
}

refused() { # NAME REGEX
	ok "$1: it is refused" wait_log "$at" "heddle: engine dla refuses: .*$2"
	ok "$1: twice" wait_log "$at" "heddle: engine dla refuses: .*$2" 2
	is "$1: and said once" "$(grep -c "heddle: ATTENTION: strict: .*$2" "$at/log")" 1
	is "$1: nobody routes" "$(tables_configured "$at")" ""
	is "$1: nothing is sent" "$(grep -cE '^lft ' "$history")" 0
}

# At the first start; then the file is mended.
cp /etc/passwd "$scratch/classes"
begin broken "event_plugin_options classes=$scratch/classes"
refused "broken file" "classes: .*"
cp "$scratch/good" "$scratch/classes"
ok "file mended: dla routes" wait_log "$at" 'heddle: engine dla: .*: sound'
like "file mended: with classes" "$(grep 'heddle: engine dla: .*sound' "$at/log" | tail -n 1)" '2 classes'
# Later: the classes of before.
echo nonsense >"$scratch/classes"
kill -HUP "$opensm_pid"
ok "broken later: said" wait_log "$at" 'heddle: classes: .*: the old classes stay'
ok "broken later: settled" settled "$at"
is "broken later: dla routes" "$(tables_configured "$at")" dla
end "broken file"

# A fabric in use keeps its tables when an opensm starts that cannot have its classes.
begin use "event_plugin_options reroute=keep"
ok "in use: opensm starts" wait_log "$at" 'SUBNET UP'
ok "in use: settled" settled "$at"
stop_opensm
n_sets=$(grep -cE '^lft |^sl2vl ' "$history")
cp /etc/passwd "$scratch/classes"
at=$scratch/use-again
configure "$at" "routing_engine dla" "sweep_interval 2" "event_plugin_options classes=$scratch/classes"
(launch "$at") &
opensm_pid=$!
ok "in use: the next is refused" wait_log "$at" 'heddle: engine dla refuses: classes: '
ok "in use: again" wait_log "$at" 'heddle: engine dla refuses: classes: ' 2
is "in use: tables stay" "$(grep -cE '^lft |^sl2vl ' "$history")" "$n_sets"
end "in use"

cp /etc/passwd "$scratch/classes"
begin off "event_plugin_options strict=off classes=$scratch/classes"
ok "strict=off: dla routes" wait_log "$at" 'heddle: engine dla: .*: sound'
ok "strict=off: said" grep -q 'heddle: classes: .*: routing without classes (strict=off)' "$at/log"
is "strict=off: no minhop" "$(tables_configured "$at")" dla
end "strict=off"

for word in dla.classes= dla.classes=x queues=xordet:3 vlarb=fair; do
	begin "word-$word" "event_plugin_options $word"
	refused "$word" "event_plugin_options: "
	end "$word"
	begin "off-$word" "event_plugin_options strict=off $word"
	ok "$word, strict=off: dla routes" wait_log "$at" 'heddle: engine dla: .*: sound'
	ok "$word, strict=off: said" grep -q 'heddle: event_plugin_options: .*: that word is ignored' "$at/log"
	end "$word, strict=off"
done
finish
