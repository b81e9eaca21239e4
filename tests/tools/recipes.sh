#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The recipes of HACKING.md, followed to the letter in a copy of the tree.
. "${top_srcdir:-.}/tests/tools/tools.sh"

if ! command -v automake >/dev/null || ! [ -x "$top_srcdir/configure" ]; then
	skip "recipes of HACKING.md" "automake is not installed"
	finish
fi
source=$scratch/source
build=$source/build

# Lists of headers name the source absolutely, or by its way from the build, as ccache does.
local_headers() {
	local way
	way=$(realpath --relative-to="$top_builddir" "$top_srcdir")
	[ "$way" != . ] || way=$(realpath "$top_srcdir")
	find "$build" -name '*.Po' -exec sed -i -E "s,(^| )($(realpath "$top_srcdir")|$way)/,\1../,g" {} +
}

# A copy of the tree, with the objects of this build, which serve but for what the recipes change.
copy() {
	mkdir -p "$build" &&
		tar -C "$top_srcdir" --exclude='./build*' --exclude=./.git -cf - . | tar -C "$source" -xf - &&
		rm -f "$source"/{config.status,config.h,Makefile} &&
		{ cp "$top_builddir/config.cache" "$build" 2>/dev/null || true; } &&
		(cd "$top_builddir" && find . -path './build*' -prune -o -path './tests' -prune -o -path './bench' -prune -o \
			\( -name '*.o' -o -name '*.Po' -o -name .dirstamp \) -print0 | tar --null -T - -cf -) | tar -C "$build" -xf - &&
		(cd "$build" && eval "../configure -C $("$top_builddir/config.status" --config)") &&
		local_headers &&
		# one time for all: an object that is a few milliseconds older than config.h would be made again
		find "$build" -type f -exec touch -d "$(date -Ins)" {} + &&
		sleep 1
}
if ! copy >"$scratch/log" 2>&1; then
	tail -n 30 "$scratch/log" >&2
	not_ok "a copy of the tree" 1 true
	finish
fi
cd "$source" || exit 99
ok "recipes of HACKING.md name every file that they touch" sh -c "tests/tools/recipes.py >'$scratch/commands'"
# the objects may know the headers of the tree that they were made from
grep -rl --include='*.Po' 'sim/scenario/keys\.def' "$build" | sed 's,/\.deps/\(.*\)\.Po$,/\1.o,' | xargs rm -f
# what is new computes little
ok "a tree with a new file by each recipe builds" make -C "$build" heddle \
	CFLAGS="$(sed -n 's/^CFLAGS = //p' "$build/Makefile") -O0 -U_FORTIFY_SOURCE"
PATH=$build:$PATH
cd "$scratch" || exit 99
while read -r command; do
	ok "$command" sh -c "$command"
done <commands
list_all() {
	local kind
	for kind in adaptive arbiters engines layers patterns queues schedulers selections switches topologies triggers vcs scenario; do
		heddle list "$kind" | grep -w recipe
	done
	heddle --help | grep -w '^ *recipe'
	heddle list scenario host.recipe | grep -w 'host.recipe'
}
list_all | sed 's/^/# /'
is "heddle names what is new" "$(list_all | wc -l)" $(($(grep -o '`cp [^`]*`' "$top_srcdir/HACKING.md" | grep -vc 'sim/hosts/') + 2))
ok "its manual page builds" make -C "$build" man/heddle-scenario.5
ok "and has the new key" grep -q '^\.It Cm host\.recipe$' "$build/man/heddle-scenario.5"
ok "a key of scenarios takes its row" heddle sim "$dragonfly" -s traffic.load=0.1 -s host.recipe=yes
finish
