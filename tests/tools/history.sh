#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle check --history, of a history that was recorded once and what is wrong in it
# (tests/simfabric/history.sh records others, with OpenSM).
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
corpus=$top_srcdir/tests/fuzz/corpus/history
cp "$corpus/mesh" sound
# LID 4 goes from either switch to the other one
sed 's/^lft 4 255 1$/lft 4 255 2/' sound >loop

ok "sound" heddle check --quiet --history sound
like "sound: all states are proved" "$(heddle check --history sound)" "states +11, proved"
json "sound, in JSON" "(j['sound'], j['states'])" "(True, 11)" heddle check --json --history sound
not_ok "a loop: unsound" 1 heddle check --quiet --history loop
like "a loop: it is shown" "$(heddle check --history loop)" "LID 4|to 'S1'|H-00001"
like "a loop: by the Set that made it" "$(heddle check --history loop)" "line [0-9]+.*set "
not_ok "a loop, of hosts alone" 1 heddle check --quiet --scope hosts --history loop
not_ok "windows: the loop is in one" 1 heddle check --quiet --history loop --life 1ms
ok "windows: sound" heddle check --quiet --history sound --life 1ms
like "windows: how many" "$(heddle check --history sound --life 1ms)" "windows"
ok "since: what comes later is sound" heddle check --quiet --history sound --since 1s

# Where switches choose from the beginning, LFTs alone decide nothing.
for name in sound loop; do
	awk '/^begin/ { $3++ } { print } /^of/ && !n++ { print "ar on 0 1" }' $name >$name.sets
	not_ok "$name by LFTs alone: no verdict" 2 heddle check --quiet --history $name.sets
	like "$name: so says the verdict" "$(heddle check --history $name.sets 2>/dev/null)" "verdict +none: .*by LFTs alone"
	like "$name: and a line" "$(heddle check --history $name.sets 2>&1 >/dev/null)" "$name.sets:[0-9]+: from here on S0 chooses"
	json "$name: null in JSON" "j['sound']" None heddle check --json --history $name.sets
done
# ... and where they begin later, what was unsound before stays so
awk '{ print } END { print "set 99.000000000 0x0001000000000000 ARInfo 0x0 0x0 1\nar on 0 1" }' loop >late
not_ok "a loop before: unsound" 1 heddle check --quiet --history late
for name in none short 12ad9d11563720e3674e7081172573c45e6f585d; do
	not_ok "no history: $name" 2 heddle check --quiet --history "$corpus/$name"
done
not_ok "no file" 2 heddle check --history missing
not_ok "since: no time" 2 heddle check --history sound --since soon
not_ok "life: none" 2 heddle check --history sound --life 0
finish
