#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The pages of heddle report in Chromium: opened, searched, clicked, by keyboard, held against axe-core.
# HEDDLE_AXE: axe.min.js, instead of npm's; HEDDLE_SHOTS: a directory that keeps pages and screenshots.
# shellcheck source=tests/tools/tools.sh disable=SC2154 # dragonfly
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
axe_version=4.10.3
cd "$scratch" || exit 99
for program in chromium chromedriver /usr/bin/python3; do
	command -v "$program" >/dev/null || {
		echo "1..0 # SKIP $program is not installed"
		exit 0
	}
done
/usr/bin/python3 -c 'import selenium' 2>/dev/null || {
	echo "1..0 # SKIP python3-selenium is not installed"
	exit 0
}

# get_axe: the file, or nothing where there is no npm or no network
get_axe() {
	[ -z "${HEDDLE_AXE-}" ] || { echo "$HEDDLE_AXE" && return; }
	command -v npm >/dev/null && timeout 60 npm pack --silent "axe-core@$axe_version" >/dev/null 2>&1 &&
		tar xzf "axe-core-$axe_version.tgz" package/axe.min.js 2>/dev/null && echo "$scratch/package/axe.min.js"
}

# pages: all that report.py opens
pages() {
	heddle route $dragonfly -e dla -o before >/dev/null || return
	# a cable is gone, one came up slow
	heddle topo before/fabric.net --fail-links 'G5S0[3]' -o less.net >/dev/null
	# both ends of one cable between switches
	/usr/bin/python3 - <<-'END'
		import re
		text = open("less.net").read()
		out, node = [], ""
		for line in text.splitlines():
		    if line.startswith("Switch"):
		        node = re.search(r'# "([^"]*)"', line)[1]
		    if (node, line[:3]) in (("G0S0", "[3]"), ("G0S1", "[3]")) and "G0S" in line:
		        line = line.replace("4xHDR", "4xEDR")
		    out.append(line)
		open("slow.net", "w").write("\n".join(out) + "\n")
	END
	heddle route slow.net -e dla -o now >/dev/null
	heddle report now --since before -o dragonfly.html || return
	sed 's|"G0S0"|"</script><img src=x onerror=hacked=1><!--<script>\&amp;"|; s|"G0S1"|"<b>bold</b>"|' before/fabric.net >odd.net
	heddle report odd.net -o odd.html || return
	heddle report tree:k=4,n=3 -o tree.html || return
	heddle report dragonfly:a=16,p=8,h=8 --failures 0 -o large.html || return
	heddle route torus:6x6 -e minhop --force -o minhop >/dev/null 2>&1
	heddle report minhop -o unsound.html
	[ $? = 1 ]
}
ok "pages" pages
recorded=${HEDDLE_SHARED:-$top_srcdir/../shared}/reference/real/superpod-gb200.net
[ ! -e "$recorded" ] || ok "a page of a recorded fabric" heddle report "$recorded" -o superpod.html
axe=$(get_axe)
timeout 500 /usr/bin/python3 "$top_srcdir/tests/browser/report.py" "$scratch" ${axe:+"$axe"} >tap 2>errors
status=$?
while IFS= read -r line; do
	case $line in
	"ok - "*" # SKIP "*) skip "$(sed 's/^ok - //; s/ # SKIP .*//' <<<"$line")" "${line#* # SKIP }" ;;
	"ok - "*) tap_result 0 "${line#ok - }" ;;
	"not ok - "*) tap_result 1 "${line#not ok - }" ;;
	*) echo "$line" ;;
	esac
done <tap
is "the browser has done all" "$status$(tail -n 3 errors)" 0
[ -z "${HEDDLE_SHOTS-}" ] || { mkdir -p "$HEDDLE_SHOTS" && cp -- *.png *.html tap "$HEDDLE_SHOTS"; }
finish
