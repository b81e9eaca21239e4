#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Plants faults in the machine of changes, one at a time, and lets tests/fuzz/fuzz_changes look for each.
#
#	tests/lib/change-mutants.sh BUILD [SECONDS]
#
# BUILD is configured with --enable-fuzzing, as build-test/fuzz of ./test. A fault that is not found within SECONDS (60) is told; exit
# status 1. The source does not change: a faulty file stands before it in BUILD meanwhile.
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:?the build directory is missing}
seconds=${2:-60}
cd "$build" || exit 2
scratch=$(mktemp -d) || exit 2
file=
clean() {
	[ "$file" ] && rm -f "$file" "${file%.c}.o"
	file=
}
trap 'clean; rm -rf "$scratch"' EXIT
missed=0

# mutant NAME FILE SED-SCRIPT: the fault; the script has to change the file
mutant() {
	local name=$1 begin status
	file=$2
	sed -E "$3" "$root/$file" >"$file"
	if cmp -s "$file" "$root/$file"; then
		echo "$name: the source has other words now" >&2
		exit 2
	fi
	make -s libheddle.a tests/fuzz/fuzz_changes >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 2; }
	mkdir -p "$scratch/corpus"
	begin=$EPOCHREALTIME
	tests/fuzz/fuzz_changes -max_total_time="$seconds" -artifact_prefix="$scratch/" "$scratch/corpus" \
		"$root/tests/fuzz/corpus/changes" >"$scratch/log" 2>&1
	status=$?
	if [ "$status" = 0 ]; then
		echo "$name: not found in $seconds s"
		missed=1
	else
		awk -v name="$name" -v from="$begin" -v to="$EPOCHREALTIME" \
			'/: in state / { printf "%s: found in %.1f s: %s\n", name, to - from, $0; exit }' "$scratch/log"
	fi
	rm -rf "$scratch/corpus"
	clean
}

mutant "a lost confirmation is believed" change/rollout.c 's/if \(!is_confirmed && rollout->n_failures < /if (!is_confirmed \&\& rollout->round == 1 \&\& rollout->n_failures < /'
mutant "a round is left out" change/rollout.c 's/rollout->round \+= is_round;/rollout->round += is_round + (is_round \&\& rollout->round + 1 < rollout->schedule.n_rounds);/'
mutant "tables of the next round are sent" change/rollout.c 's/rollout->before, rollout->round,$/rollout->before, rollout->round + 1,/'
mutant "a round has the tables of the one before" change/rounds.c 's/fill\(schedule, now, before, round, at\);/fill(schedule, now, before, round - (round > 0), at);/'
mutant "the rest of a round is that of another" change/rollout.c 's/rollout->before, rollout->round,$/rollout->before, rollout->round - !may_be_urgent,/'
mutant "entries of round 2 are in round 1" change/schedule_vacant.c 's/^(\tfree\(n_vacated\);)$/\tfor (size_t k = 0; !ret \&\& k < schedule->entries.n; k++)\n\t\tif (schedule->entries.new[k] == 2)\n\t\t\tschedule->entries.new[k] = 1;\n\1/'
mutant "entries for vacant LIDs stay" change/schedule_vacant.c 's/!count_vacated\(now, before, n_vacated\)/(!count_vacated(now, before, n_vacated) || true)/'
mutant "they stay while links come up" change/rollout.c 's/^\t\thd_rounds_vacate\(\*tables.*/\t\treturn 0;/'
mutant "there is no pause" change/rollout.c 's/rollout->drained = now \+ pause;/rollout->drained = now;/'
mutant "copies of Sets are not waited for" manager/repeated_sets.c 's/lasted >= timeout &&/lasted >= 2 * timeout \&\&/'
mutant "a new switch is taken to hold the goal" manager/node_tables.c 's/lid < size \? lft\[lid\] : HD_NO_PATH;/lid < size ? lft[lid] : hd_lft(goal, s)[lid];/'
mutant "links are not waited for" change/rollout.c 's/^\tif \(needs_links\) \{/\tif (false) {/'
mutant "links farther on are not waited for" change/rollout.c 's/hd_ways_from\(new, switches\[i\]\) == HD_WAY_DARK/hd_lft(new->tables, switches[i])[lid] != HD_NO_PATH \&\& new->next[hd_port_index(new->tables->fabric, switches[i], hd_lft(new->tables, switches[i])[lid])] == HD_NONE - 1/'
mutant "what was sent of a round that is given up is not waited for" change/rollout.c 's/^\trollout->drained = now/\tif (is_confirmed)\n\t\trollout->drained = now/'
mutant "rows that switches hold are not read" manager/node_tables.c 's/held->sl2vl\[index\] = is;/(void)held;/'
mutant "links of switches that have not confirmed come up" manager/unconfirmed_switches.c 's/return any && time - of->since < HD_UNCONFIRMED_SECONDS;/return any \&\& time < 0;/'
mutant "rounds are planned after three failures" change/rollout.c 's/if \(!cause && rollout->n_failures >=/if (!cause \&\& rollout->n_failures > 99 +/'
mutant "doubts are not told" change/rollout.c 's/else if \(rollout->doubt\[0\]\)/else if (false)/'
mutant "losses of drops are not counted" change/count_lost.c 's/is_dropped \? HD_NO_PATH : /is_dropped ? entry.old : /'
mutant "losses of links that are not up are not counted" change/rollout.c 's/any \? is_coming : NULL/any \&\& !is_coming ? is_coming : NULL/'
mutant "a schedule for other tables serves" change/rollout.c 's/was->fabric == is->fabric && nothing_changes\(is, was\) &&/was->fabric == is->fabric \&\&/'
mutant "rounds are not proved" change/plan.c 's/return ret \? ret : hd_change_is_sound.*/*is_sound = a \&\& b;\n\treturn ret;/'
make -s libheddle.a tests/fuzz/fuzz_changes >"$scratch/log" 2>&1 || cat "$scratch/log"
exit "$missed"
