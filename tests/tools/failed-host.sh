#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Others still send to a host that has failed, by old entries: these packets meet new entries for others
# (tests/tools/failed_host.py). heddle check --between, heddle check --history, the judge and heddle diff --schedule agree on that.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
judge=$top_srcdir/tests/lib/judge.py

heddle route torus:4,p=2 -e updn -o old >/dev/null
python3 - <<'END'
import re
parts = open('old/fabric.net').read().split('\n\n')
parts = [re.sub(r'\[2\]\t"H-0002000000000070".*\n', '', part) for part in parts if 'caguid=0x2000000000070' not in part]
open('less.net', 'w').write('\n\n'.join(parts) + '\n')
END
heddle route less.net -e updn -o new >/dev/null
python3 "$top_srcdir/tests/tools/failed_host.py" old new hole rounds

ok "old tables are sound" heddle check --quiet --scope hosts old
ok "new tables are sound" heddle check --quiet --scope hosts new
not_ok "their mixtures are not" 1 heddle check --quiet --scope hosts --between old new
json "by a cycle of which one channel is that of packets to the LID of the failed host" \
	"(j['failure'], len(j['witness']), [c['flow']['lid'] for c in j['witness']].count(12))" "('credit loop', 4, 1)" \
	heddle check --scope hosts --between old new --json
like "that is shown" "$(heddle check --scope hosts --between old new)" "H-00002 +LID 0x000c +0"
json "entries for it lead nowhere anyway" "j['changes']['lossy_entries']" 0 heddle check --scope hosts --between old new --json

# the same where another prover follows packets: a group or a private LFT that no packet has to do with
for side in old new; do
	cp -r $side $side-group && cp -r $side $side-private
	head='AR tables of 1 switch\n\nSwitch 0x0001000000000000, base LID 2, "S0"\n'
	printf '%b' "$head"'group 0: 1 2\n1 groups, 0 lids dumped\n' >$side-group/ar.dump
	printf '%b' "$head"'plfts 2 by SL\nplft 1\n0 groups, 0 lids dumped\n' >$side-private/ar.dump
done
not_ok "with a group that nobody uses" 1 heddle check --quiet --scope hosts --between old-group new-group
not_ok "and with local repair" 1 heddle check --quiet --scope hosts --local-repair 1 --between old-group new-group
not_ok "with a private LFT that nobody uses" 1 heddle check --quiet --scope hosts --between old-private new-private
json "its rounds take those entries away first" "(j['scheduled'], j['at_once'], len(j['rounds']))" "(True, False, 2)" \
	heddle diff --schedule --json old-private new-private

not_ok "a history in which they meet" 1 heddle check --quiet --scope hosts --history hole
like "the Set that closes the circle is shown" "$(heddle check --scope hosts --history hole)" "at 2\.003000000 s"
not_ok "and in a round" 1 heddle check --quiet --scope hosts --history hole --life 100ms
not_ok "the judge says so, too" 1 python3 "$judge" hole
ok "a history in which entries for that LID go first" heddle check --quiet --scope hosts --history rounds
ok "and in rounds" heddle check --quiet --scope hosts --history rounds --life 100ms
ok "the judge says so, too" python3 "$judge" rounds
not_ok "but not for packets that live for both rounds" 1 heddle check --quiet --scope hosts --history rounds --life 1s
json "a schedule has these rounds" "(j['scheduled'], j['at_once'], [r['entries'] for r in j['rounds']])" \
	"(True, False, [4, 4])" heddle diff --schedule --json old new
finish
