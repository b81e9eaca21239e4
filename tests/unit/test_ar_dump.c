// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ar.dump: what its reader refuses, with file and line. */
#include "tests/unit/unit.h"

#include "tables/dumps.h"
#include "tests/unit/tables_case.h"

#define HEAD    "AR tables of 1 switches\n"
#define SECTION "Switch 0x0000000000000010, base LID 1, \"S1\"\n"
#define GROUP   "group 0: 3 4\n"
#define MAP     "plfts 2 by VL\n"

/* 14 columns, and 15, the numbers of VLs */
#define MOST_COLUMNS " 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
#define COLUMNS      ": 0" MOST_COLUMNS

static const struct {
	const char *text;
	unsigned line;
	const char *says;
} malformed[] = {
	{ "", 0, "expected 'AR tables of" },
	{ "garbage\n", 1, "expected 'AR tables of" },
	{ "AR tables of switches\n", 1, "expected 'AR tables of" },
	{ HEAD, 1, "0 of 1 switches" },
	{ HEAD "garbage\n", 2, "expected a switch's section" },
	{ HEAD GROUP, 2, "expected a switch's section" },
	{ HEAD "Switch 0x99, base LID 1, \"S1\"\n", 2, "no port 0x0000000000000099" },
	{ HEAD "Channel Adapter 0x101, base LID 4, \"H1\"\n", 2, "those of switches" },
	{ HEAD SECTION, 2, "cut short" },
	{ HEAD SECTION SECTION, 3, "cut short" },
	{ HEAD SECTION "0 groups, 0 lids dumped\n" SECTION, 4, "a section already" },
	{ HEAD SECTION "garbage\n", 3, "neither a group" },
	{ HEAD SECTION "group x: 3 4\n", 3, "expected 'group" },
	{ HEAD SECTION "group 1: 3 4\n", 3, "group 0 is next" },
	{ HEAD SECTION "group 0: 3,4\n", 3, "expected 'group" },
	{ HEAD SECTION "group 0: 4 3\n", 3, "ascending" },
	{ HEAD SECTION "group 0: 0 3\n", 3, "ascending" },
	{ HEAD SECTION "group 0: 3 5\n", 3, "of 1 .. 4" },
	{ HEAD SECTION "group 0: 3 300\n", 3, "expected 'group" },
	{ HEAD SECTION "group 0: 3\n", 3, "two ports" },
	{ HEAD SECTION "group 0:\n", 3, "two ports" },
	{ HEAD SECTION GROUP "group 1: 3 4\n", 4, "same ports as group 0" },
	{ HEAD SECTION GROUP "0x0008 003 free 0\ngroup 1: 1 2\n", 5, "groups come before" },
	{ HEAD SECTION GROUP "0x0008 004 free 0\n", 4, "the LFT of the switch has 3" },
	{ HEAD SECTION GROUP "0x0008 003 static\n", 4, "expected 'free'," },
	{ HEAD SECTION GROUP "0x0008 003 fixed 0\n", 4, "expected 'free'," },
	{ HEAD SECTION GROUP "0x0008 003 free\n", 4, "expected 'free'," },
	{ HEAD SECTION GROUP "0x0008 003 free 0 0\n", 4, "expected 'free'," },
	{ HEAD SECTION GROUP "0x0008 003 free 1\n", 4, "no group 1" },
	{ HEAD SECTION GROUP "0x0009 003 free 0\n", 4, "LID 0x0009" },
	{ HEAD SECTION GROUP "0x0008 003 free 0\n0x0007 003 free 0\n", 5, "ascending" },
	{ HEAD SECTION GROUP "0x 003 free 0\n", 4, "expected '0xLID" },
	{ HEAD SECTION GROUP "0x0008 003 free 0\n1 groups, 2 lids dumped\n", 5,
	  "1 groups and 1 LIDs" },
	{ HEAD SECTION GROUP "0x0008 003 free 0\n", 4, "cut short" },
	{ HEAD SECTION "group 0: 1 / 2 / 1\n", 3, "port 1 is in two subgroups" },
	{ HEAD SECTION "group 0: / 1 2\n", 3, "expected 'group" },
	{ HEAD SECTION "group 0: 1 2 /\n", 3, "expected 'group" },
	{ HEAD SECTION "plfts 5 by SL\n", 3, "5 pLFTs: expected 2 .. 4" },
	{ HEAD SECTION "plfts 1 by SL\n", 3, "1 pLFTs: expected 2 .. 4" },
	{ HEAD SECTION "plfts x by SL\n", 3, "expected 'plfts N" },
	{ HEAD SECTION "plfts 2 by port\n", 3, "expected 'plfts N" },
	{ HEAD SECTION "plfts 2 by SL VL\n", 3, "expected 'plfts N" },
	{ HEAD SECTION "in 1: 0 0\n", 3, "'in' follows" },
	{ HEAD SECTION "plft 1\n", 3, "pLFT 1 does not come here" },
	{ HEAD SECTION MAP "plfts 2 by VL\n", 4, "does not come here" },
	{ HEAD SECTION MAP "plft 2\n", 4, "pLFT 2 does not come here" },
	{ HEAD SECTION MAP "plft one\n", 4, "expected 'plft N'" },
	{ HEAD SECTION MAP "group 0: 1 2\n", 4, "groups come before" },
	{ HEAD SECTION MAP "0x0008 003 static\n", 4, "outside of an LFT" },
	{ HEAD SECTION MAP "in 9" COLUMNS, 4, "ports 9-9: expected some of 0 .. 4" },
	{ HEAD SECTION MAP "in 2-1" COLUMNS, 4, "ports 2-1" },
	{ HEAD SECTION MAP "in x" COLUMNS, 4, "expected a port" },
	{ HEAD SECTION MAP "in 1-" COLUMNS, 4, "expected a port" },
	{ HEAD SECTION MAP "in 1: 2" MOST_COLUMNS, 4, "expected 15 numbers of 0 .. 1" },
	{ HEAD SECTION MAP "in 1: 0 0 0\n", 4, "expected 15 numbers" },
	{ HEAD SECTION MAP "in 1: 0 0" MOST_COLUMNS, 4, "expected 15 numbers" },
	{ HEAD SECTION MAP "in 1-2" COLUMNS "in 2" COLUMNS, 5, "in-port 2 was given before" },
	{ HEAD SECTION MAP "0 groups, 0 lids dumped\n", 4, "lacks pLFT 1" },
	{ HEAD SECTION MAP "vl2vl\n", 4, "does not come here" },
	{ HEAD SECTION MAP "plft 1\n0x0008 005 static\n", 5, "the switch has 4 ports" },
	{ HEAD SECTION MAP "plft 1\n0x0008 003 free\n", 5, "expected 'free'," },
	{ HEAD SECTION MAP "plft 1\n0x0008 003 hash 0\n", 5, "no group 0" },
	{ HEAD SECTION MAP "plft 1\nin 1" COLUMNS, 5, "'in' follows" },
	{ HEAD SECTION "vl2vl\nvl2vl\n", 4, "does not come here" },
	{ HEAD SECTION "vl2vl\n" MAP, 4, "does not come here" },
	{ HEAD SECTION "vl2vl\nin 1" COLUMNS, 4, "expected 'in PORTS out PORTS" },
	{ HEAD SECTION "vl2vl\nin 1 out 5" COLUMNS, 4, "ports 5-5" },
	{ HEAD SECTION "vl2vl\nin 1 out 1: 16" MOST_COLUMNS, 4, "expected 15 numbers of 0 .. 15" },
	{ HEAD SECTION "vl2vl\nin 1 out 1-3" COLUMNS "in 0-1 out 3" COLUMNS, 5,
	  "in-port 1 and out-port 3 were given before" },
	{ "AR tables of 2 switches\n" SECTION GROUP "0x0008 003 free 0\n1 groups, 1 lids dumped\n",
	  5, "1 of 2 switches" },
};

static void malformed_dumps_are_refused(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		struct hd_tables *tables = tables_case_tables(fabric);
		struct hd_error err = { 0 };
		int ret = hd_dump_ar.parse(tables, "dump", malformed[i].text,
					   strlen(malformed[i].text), &err);

		if (ret != HD_EPARSE || err.line != malformed[i].line ||
		    strcmp(err.file, "dump") != 0 || !strstr(err.text, malformed[i].says))
			fail_msg("%s: got %d, %s:%u: %s", malformed[i].text, ret, err.file,
				 err.line, err.text);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(malformed_dumps_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
