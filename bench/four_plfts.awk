# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Gives every switch of an ar.dump with three private LFTs by VL a fourth: a copy of the last, for VLs above 0 of the in-ports
# that have the last. So a proof has as many LFTs to follow as switches can have.
#
#	awk -f bench/four_plfts.awk three/ar.dump >four/ar.dump
/^plfts 3 by VL/ {
	print "plfts 4 by VL"
	maps = 1
	next
}
maps && /^in / && $3 == 2 {
	printf "%s %s 2", $1, $2
	for (i = 4; i <= NF; i++)
		printf " 3"
	print ""
	next
}
/^plft / {
	maps = 0
	last = $2 == 2
	n = 0
}
last && /^0x/ {
	kept[n++] = $0
}
last && (/^vl2vl/ || /groups, /) {
	print "plft 3"
	for (i = 0; i < n; i++)
		print kept[i]
	last = 0
	more = n
}
/groups, [0-9]+ lids dumped/ {
	print $1, "groups,", $3 + more, "lids dumped"
	more = 0
	next
}
{ print }
