# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# experiments/capture.sh: what stock OpenSM programs, as a snapshot.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
for each in opensm saquery ibnetdiscover; do
	if ! command -v "$each" >/dev/null; then
		skip "captured tables" "$each is not installed"
		finish
		exit
	fi
done
unset SIM_HOST IBSIM_SERVER_NAME IBSIM_SERVER_PORT LD_PRELOAD
capture=$top_srcdir/experiments/capture.sh
dragonfly=dragonfly:a=4,p=2,h=2
cd "$scratch" || exit 99

verdict() {
	heddle check --quiet "$1" | sed -n 's/^verdict *//p'
}

ok "lash" timeout 60 bash "$capture" $dragonfly lash lash
is "lash: proved, switches' flows too" "$(verdict lash)" "hosts sound; with switches sound"
is "lash: an SL for every pair" "$(wc -l <lash/path-sl.dump)" $((108 * 108))
like "lash: several layers" "$(awk '{ print $3 }' lash/path-sl.dump | sort -u | xargs)" "^0 1 2"
is "lash: arbitration of every port" "$(grep -c '^[0-9].* low' lash/opensm-vlarb.dump)" $((72 + 36 * 7))
ok "lash: the model takes it" heddle sim lash --quiet -s run.measure=10us

ok "dfsssp" timeout 60 bash "$capture" --hosts $dragonfly dfsssp dfsssp
is "dfsssp: what hosts send is proved" "$(verdict dfsssp)" "hosts sound; with switches sound"
is "dfsssp: SLs of the hosts alone" "$(wc -l <dfsssp/path-sl.dump)" $((72 * 72 + 36))

# engine sasha with two queues uses all 16 SLs; saquery prints those above 9 in upper case
if [ -e "$top_builddir/libosmheddle.so" ]; then
	export LD_LIBRARY_PATH=$top_builddir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	ok "sasha" timeout 60 bash "$capture" --hosts torus:5x5 sasha sasha "lmc 1" \
		"event_plugin_name osmheddle" "event_plugin_options queues=dbbq:2"
	is "sasha: all SLs" "$(awk '{ print $3 }' sasha/path-sl.dump | sort -nu | xargs)" "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
	is "sasha: what hosts send is proved" "$(verdict sasha | sed 's/;.*//')" "hosts sound"
else
	skip "sasha" "the plug-in is not built"
fi

not_ok "updn without a root" 1 timeout 60 bash "$capture" $dragonfly updn updn
like "it says what OpenSM used" "$(cat .err)" "used 'minhop' in the place of 'updn'"
ok "no snapshot is left" test ! -e updn
not_ok "a snapshot that is there" 1 bash "$capture" $dragonfly lash lash
finish
