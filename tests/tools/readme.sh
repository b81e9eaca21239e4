#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The commands that README.md shows run, those that need no fabric and no other program; its links lead somewhere.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

readme=$top_srcdir/README.md
like "the two commands stand on the first screen" "$(head -n 50 "$readme" | paste -s -d ' ')" ' \./demo .* \./test '

for page in $(grep -o -E '\]\([^)#]+' "$readme" | sed 's/^](//' | sort -u); do
	ok "README has a link to $page" test -e "$top_srcdir/$page"
done

# what stands indented by four blanks, lines that end with a backslash joined
commands() {
	sed -n '/^    /s/^ *//p' "$readme" | sed -e :a -e '/\\$/N; s/\\\n *//; ta' | grep -E '^(heddle |printf .* >>? (classes|jobs\.ini)$)'
}

cd "$scratch" || exit 99
ran=0
while read -r command; do
	case $command in
	# a live fabric, a recording of MPI, a history of OpenSM's
	"heddle dump"* | "heddle watch"* | "heddle agent"* | *my.trace* | *--history*) continue ;;
	# half a minute
	*tree:k=16,n=3*) [ "${HEDDLE_LONG_TESTS-}" ] || continue ;;
	esac
	ok "$command" bash -c "$command"
	ran=$((ran + 1))
done < <(commands)
ok "there were commands" test "$ran" -ge 22
call=$(sed -n 's/^`\(heddle\.fabric(.*)\)`$/\1/p' "$readme")
if [ "${sanitizers-}" ]; then
	skip "in Python: $call" "a library with sanitizers needs a program that has them"
else
	export PYTHONPATH=$top_srcdir/bindings/python PYTHONDONTWRITEBYTECODE=1 HEDDLE_LIBRARY=$top_builddir/libheddle.so.0
	like "in Python: $call" "$(python3 -c "import heddle; print($call)" 2>&1)" '^sound: '
fi
finish
