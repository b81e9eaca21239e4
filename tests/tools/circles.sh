#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# No source files use one another in a circle, but for recursion: what is below is read and tested without what is
# above it.
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
if ! command -v nm >/dev/null; then
	echo "1..0 # SKIP there is no nm"
	exit 0
fi

ok "rooms are as docs/design.md has them" "$top_srcdir/tests/tools/rooms.py" "$top_srcdir"
"$top_srcdir/tests/lib/circles.py" "$top_builddir" >"$scratch/circles"
status=$?
if [ $status = 2 ]; then
	skip "no new circle of files" "nm shows no symbols of these objects"
	finish
fi
is "no new circle of files" "$status $(grep -A 30 'a new circle' "$scratch/circles")" "0 "

# that circles are seen: one.c and two.c use each other, three.c both, in a program of its own
mkdir -p "$scratch/source/tests/lib" "$scratch/source/room"
cd "$scratch/source" || exit 99
cp "$top_srcdir/tests/lib/circles.py" tests/lib
echo 'int two(void); int one(void) { return two(); }' >room/one.c
echo 'int one(void); int two(void) { return one(); }' >room/two.c
echo 'int one(void); int two(void); int main(void) { return one() + two(); }' >room/three.c
if ! (cd room && cc -fno-lto -c one.c two.c && cc -fno-lto -c three.c -o program-three.o) 2>/dev/null; then
	skip "a circle is seen" "there is no compiler"
	finish
fi
tests/lib/circles.py . >circles
is "a circle is seen" "$? $(tr -d '\t' <circles | paste -s -d '|')" \
	"1 2 files: a new circle|room/one.c uses room/two.c: two|room/two.c uses room/one.c: one"
rm room/two.c
ok "objects whose source is gone are left out" tests/lib/circles.py .
sed -i 's/^KNOWN = (/&("both call both", "room\/one.c room\/two.c room\/four.c"),/' tests/lib/circles.py
echo 'int one(void); int two(void) { return one(); }' >room/two.c
like "a known circle may be there" "$(tests/lib/circles.py . && echo passes)" 'both call both.*passes'
finish
