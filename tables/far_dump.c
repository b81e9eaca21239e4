// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ibdiagnet2.far: the AR tables of the vendor's switches,
 *
 *	File version: 2
 *	Switch 0x0000000000200000 ...
 *	Groups Definition:
 *	Group   Sub Group   WHBF   Ports
 *	--------------------------------
 *	0       0           0      1, 2, 3,
 *	LFT Definition:
 *	PLFT_NUM: 0, top: 0xbfff
 *	LID     Static Port   Lid State   Group
 *	---------------------------------------
 *	0x0001  1             Free        0
 *
 * with a section for each switch. Lines of one group stand together, its sub-groups ascending.
 * Private LFTs are read and counted only, with a note, since the file does not say which packets go
 * by which: nothing is assumed of them. So are entries that struct hd_ar cannot hold.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/reading.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

#define MOST_BYTES 512
#define MOST_GROUP 0xFFFEu

enum part { NOWHERE, GROUPS_HEADING, GROUPS, LFT_HEADING, LFT };

/* A group of a switch of the file. */
struct far_group {
	uint32_t s;      /* the last switch that has one with this number */
	uint16_t number; /* in the tables; HD_AR_NO_GROUP: it has fewer than two ports */
	uint8_t first;   /* its lowest port; HD_NO_PATH: it has none */
};

struct far_reader {
	struct hd_lines lines;
	struct hd_oddities oddities;
	struct hd_tables *tables;
	bool *seen; /* [switch] */
	enum part part;
	uint32_t s; /* of the section; HD_NONE: none yet */
	unsigned plft;
	uint32_t last_lid;
	struct far_group *groups; /* [number in the file] */
	uint32_t n_room;
	struct hd_port_set subgroups[HD_AR_MAX_SUBGROUPS]; /* of the group whose lines are read */
	unsigned n_subgroups;                              /* 0: no group is begun */
	unsigned last_subgroup;                            /* in the file */
	uint64_t number;                                   /* of the group */
	const char *why; /* the tables cannot be held; NULL: they can */
	uint64_t n_switches, n_groups, n_entries;
};

static void cannot(struct far_reader *reader, const char *why)
{
	if (!reader->why)
		reader->why = why;
}

/* All lines of the group have been read. */
static int end_group(struct far_reader *reader, struct hd_error *err)
{
	const unsigned n = reader->n_subgroups;
	struct hd_port_set all = { { 0 } };
	struct far_group *group;
	int ret;

	reader->n_subgroups = 0;
	if (!n)
		return 0;
	group = &reader->groups[reader->number];
	for (unsigned i = 0; i < n; i++)
		hd_port_set_merge(&all, &reader->subgroups[i]);
	group->first = (uint8_t)hd_port_set_next(&all, 0);
	group->number = HD_AR_NO_GROUP;
	if (hd_port_set_count(&all) < 2)
		return 0;
	ret = hd_ar_intern_subgroups(reader->tables->ar, reader->s, reader->subgroups, n,
				     &group->number);
	if (ret == HD_ERANGE)
		return hd_lines_error(&reader->lines, err, "more than %u groups of one switch",
				      HD_AR_MAX_GROUPS);
	return ret ? hd_error_nomem(err) : 0;
}

static int begin_switch(struct far_reader *reader, const char *at, struct hd_error *err)
{
	uint64_t guid;
	int ret = end_group(reader, err);

	if (ret)
		return ret;
	if (!hd_scan_hex(&at, reader->lines.end, UINT64_MAX, &guid))
		return hd_lines_error(&reader->lines, err, "expected 'Switch 0xGUID'");
	ret = hd_dump_take_switch(&reader->lines, reader->tables->fabric, guid, reader->seen,
				  &reader->s, err);
	if (ret)
		return ret;
	reader->n_switches++;
	reader->part = NOWHERE;
	reader->plft = 0;
	reader->last_lid = 0;
	return 0;
}

/* "1, 2, 3," to the end of the line. */
static bool scan_ports(const char *at, const char *end, unsigned n_ports, struct hd_port_set *set)
{
	for (;;) {
		uint64_t port;

		hd_scan_blanks(&at, end);
		if (at == end)
			return true;
		if (!hd_scan_number(&at, end, 10, n_ports, &port) || !port)
			return false;
		hd_port_set_add(set, (unsigned)port);
		hd_scan_blanks(&at, end);
		if (at < end && !hd_scan_word(&at, end, ","))
			return false;
	}
}

static int reserve_group(struct far_reader *reader, uint64_t number, struct hd_error *err)
{
	const uint32_t wanted = (uint32_t)number + 64;
	struct far_group *grown;

	if (number < reader->n_room)
		return 0;
	grown = realloc(reader->groups, wanted * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	for (uint32_t i = reader->n_room; i < wanted; i++)
		grown[i].s = HD_NONE;
	reader->groups = grown;
	reader->n_room = wanted;
	return 0;
}

/* The lines of group @number begin, with the sub-group @set. */
static int begin_group(struct far_reader *reader, uint64_t number, const struct hd_port_set *set,
		       struct hd_error *err)
{
	int ret = end_group(reader, err);

	if (!ret)
		ret = reserve_group(reader, number, err);
	if (ret)
		return ret;
	if (reader->groups[number].s == reader->s)
		return hd_lines_error(&reader->lines, err, "group %" PRIu64 " comes twice", number);
	reader->groups[number].s = reader->s;
	reader->number = number;
	reader->subgroups[0] = *set;
	reader->n_subgroups = 1;
	reader->last_subgroup = 0;
	reader->n_groups++;
	return 0;
}

/* Sub-group @which of group @number, not its first. */
static void add_subgroup(struct far_reader *reader, uint64_t number, unsigned which,
			 const struct hd_port_set *set)
{
	if (!hd_port_set_count(set))
		return;
	if (!reader->n_subgroups || number != reader->number) {
		cannot(reader, "sub-groups that stand apart from their group");
		return;
	}
	/* their order is what switches prefer */
	if (which <= reader->last_subgroup) {
		cannot(reader, "sub-groups that do not ascend");
		return;
	}
	reader->last_subgroup = which;
	for (unsigned i = 0; i < reader->n_subgroups; i++)
		hd_for_each_in_set(port, set)
			if (hd_port_set_has(&reader->subgroups[i], port)) {
				cannot(reader, "ports that are in two sub-groups");
				return;
			}
	if (reader->n_subgroups == HD_AR_MAX_SUBGROUPS) {
		cannot(reader, "groups of more sub-groups than can be held");
		return;
	}
	/* a first one without ports is as good as none */
	if (reader->n_subgroups == 1 && !hd_port_set_count(&reader->subgroups[0]))
		reader->subgroups[0] = *set;
	else
		reader->subgroups[reader->n_subgroups++] = *set;
}

/* "0  0  0  1, 2, 3," */
static int read_group(struct far_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const unsigned n_ports = reader->tables->fabric->nodes[reader->s].n_ports;
	struct hd_port_set set = { { 0 } };
	const char *at = lines->begin;
	uint64_t number, sub_group, whbf;

	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_number(&at, lines->end, 10, MOST_GROUP, &number))
		return hd_lines_error(lines, err,
				      "expected 'GROUP SUB-GROUP WHBF PORT, PORT, ...'");
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_number(&at, lines->end, 10, UINT8_MAX, &sub_group))
		return hd_lines_error(lines, err, "expected the number of a sub-group");
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_number(&at, lines->end, 10, UINT32_MAX, &whbf) ||
	    !scan_ports(at, lines->end, n_ports, &set))
		return hd_lines_error(lines, err, "expected ports of 1 to %u", n_ports);
	if (!sub_group)
		return begin_group(reader, number, &set, err);
	add_subgroup(reader, number, (unsigned)sub_group, &set);
	return 0;
}

static bool scan_state(const char **at, const char *end, enum hd_ar_state *state)
{
	*state = HD_AR_STATIC;
	if (hd_scan_word(at, end, "Static"))
		return true;
	*state = HD_AR_HASH;
	if (hd_scan_word(at, end, "HBF"))
		return true;
	*state = HD_AR_FREE;
	if (hd_scan_word(at, end, "Free"))
		return true;
	*state = HD_AR_BOUNDED;
	return hd_scan_word(at, end, "Bounded");
}

static bool has_port(const struct far_reader *reader, const struct far_group *group, uint64_t port)
{
	if (group->number == HD_AR_NO_GROUP)
		return group->first == port;
	return hd_port_set_has(&reader->tables->ar->groups[reader->s].sets[group->number],
			       (unsigned)port);
}

/* Puts an entry that is not static into the tables; a group of one port leaves no choice. */
static void set_entry(struct far_reader *reader, uint64_t lid, uint64_t port,
		      enum hd_ar_state state, uint64_t number)
{
	struct hd_tables *tables = reader->tables;
	const size_t entry = reader->s * tables->lft_stride + lid;
	const struct far_group *group = number < reader->n_room ? &reader->groups[number] : NULL;

	if (tables->fabric->lids[lid].port == HD_NONE || !hd_lft_is_known(tables, reader->s))
		return;
	if (tables->lft[entry] == HD_NO_PATH) {
		cannot(reader, "entries for LIDs to which the LFTs have no path");
	} else if (!group || group->s != reader->s || group->first == HD_NO_PATH) {
		cannot(reader, "entries whose group has no ports, or is not there");
	} else if (tables->lft[entry] != port) {
		cannot(reader, "default ports that are not those of the LFTs");
	} else if (!has_port(reader, group, port)) {
		cannot(reader, "default ports outside of their groups");
	} else if (group->number != HD_AR_NO_GROUP) {
		tables->ar->state[entry] = (uint8_t)state;
		tables->ar->group[entry] = group->number;
	}
}

/* "0x0001  1  Free  0"; a static one may lack its group. */
static int read_entry(struct far_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	uint64_t lid, port, group = UINT64_MAX;
	enum hd_ar_state state;

	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_hex(&at, lines->end, UINT16_MAX, &lid))
		return hd_lines_error(lines, err, "expected '0xLID PORT STATE GROUP'");
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_number(&at, lines->end, 10, HD_NO_PATH, &port))
		return hd_lines_error(lines, err, "expected a port after the LID");
	hd_scan_blanks(&at, lines->end);
	if (!scan_state(&at, lines->end, &state))
		return hd_lines_error(lines, err, "expected Static, Free, Bounded or HBF");
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_number(&at, lines->end, 10, UINT16_MAX, &group) && state != HD_AR_STATIC)
		return hd_lines_error(lines, err, "expected the number of a group");
	if (lid <= reader->last_lid)
		return hd_lines_error(lines, err, "LID 0x%04" PRIx64 " does not follow LID 0x%04x",
				      lid, reader->last_lid);
	reader->last_lid = (uint32_t)lid;
	reader->n_entries += state != HD_AR_STATIC;
	if (state != HD_AR_STATIC && !reader->plft && lid <= reader->tables->fabric->top_lid)
		set_entry(reader, lid, port, state, group);
	return 0;
}

/* "PLFT_NUM: 0, top: 0xbfff" */
static int begin_lft(struct far_reader *reader, const char *at, struct hd_error *err)
{
	uint64_t plft;

	hd_scan_blanks(&at, reader->lines.end);
	if (!hd_scan_number(&at, reader->lines.end, 10, UINT8_MAX, &plft))
		return hd_lines_error(&reader->lines, err, "expected 'PLFT_NUM: N'");
	if (plft)
		cannot(reader, "private LFTs");
	reader->plft = (unsigned)plft;
	reader->part = LFT_HEADING;
	reader->last_lid = 0;
	return 0;
}

static int read_line(struct far_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	int ret = 0;

	hd_scan_blanks(&at, lines->end);
	if (at == lines->end || *at == '#')
		return 0;
	if (hd_scan_word(&at, lines->end, "Switch 0x"))
		return begin_switch(reader, at - 2, err);
	if (reader->s == HD_NONE)
		return hd_scan_word(&at, lines->end, "File version:")
			       ? 0
			       : hd_lines_error(lines, err, "expected 'Switch 0xGUID'");
	/* whatever comes, it is no line of the last group */
	if (reader->part != GROUPS)
		ret = end_group(reader, err);
	if (ret)
		return ret;
	if (hd_scan_word(&at, lines->end, "Groups Definition:"))
		reader->part = GROUPS_HEADING;
	else if (hd_scan_word(&at, lines->end, "LFT Definition:"))
		reader->part = LFT_HEADING;
	else if (hd_scan_word(&at, lines->end, "PLFT_NUM:"))
		return begin_lft(reader, at, err);
	else if (hd_scan_word(&at, lines->end, "--"))
		reader->part = reader->part == GROUPS_HEADING ? GROUPS
			       : reader->part == LFT_HEADING  ? LFT
							      : reader->part;
	else if (reader->part == GROUPS)
		return read_group(reader, err);
	else if (reader->part == LFT)
		return read_entry(reader, err);
	/* what stands before, and headings */
	return 0;
}

static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct far_reader *reader = of;
	int ret = 0;

	hd_lines_go_on(&reader->lines, data, size);
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	return ret;
}

static int begin(struct far_reader *reader, struct hd_tables *tables, const char *name,
		 const struct hd_reading *how, struct hd_error *err)
{
	*reader = (struct far_reader){ .lines.file = name,
				       .oddities = { .how = how, .file = name },
				       .tables = tables,
				       .s = HD_NONE };
	reader->seen = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader->seen));
	return reader->seen ? hd_ar_new(tables, err) : hd_error_nomem(err);
}

/* A switch without AR tables is as good as one whose section is lost. */
static void note_missing(const struct far_reader *reader)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	FILE *notes = reader->oddities.how ? reader->oddities.how->notes : NULL;
	const uint64_t n = fabric->n_switches - reader->n_switches;
	char label[HD_LABEL_SIZE];
	uint32_t first = 0;

	if (!n || !notes)
		return;
	while (reader->seen[first])
		first++;
	fprintf(notes,
		"%s: no section of %" PRIu64 " switch%s, %s the first: LFTs alone count there\n",
		reader->lines.file, n, n == 1 ? "" : "es",
		hd_node_label(fabric, first, label, sizeof(label)));
}

/* What cannot be held is told, and passed over. */
static int tell(struct far_reader *reader, struct hd_error *err)
{
	struct hd_tables *tables = reader->tables;

	if (tables->n_lft_unknown)
		cannot(reader, "LFTs are missing");
	if (reader->n_entries && !reader->why) {
		note_missing(reader);
		return 0;
	}
	hd_ar_free(tables->ar, tables->fabric);
	tables->ar = NULL;
	if (!reader->n_entries)
		return 0;
	return hd_odd(
		&reader->oddities, 0,
		"they are counted only, and what is proved holds for packets that follow the LFTs",
		err,
		"AR tables of %" PRIu64 " switches, %" PRIu64 " groups, %" PRIu64
		" entries that are not static; %s",
		reader->n_switches, reader->n_groups, reader->n_entries, reader->why);
}

static int end(struct far_reader *reader, int ret, struct hd_error *err)
{
	struct hd_tables *tables = reader->tables;

	if (!ret)
		ret = end_group(reader, err);
	if (!ret) {
		ret = tell(reader, err);
	} else {
		hd_ar_free(tables->ar, tables->fabric);
		tables->ar = NULL;
	}
	hd_oddities_end(&reader->oddities);
	free(reader->seen);
	free(reader->groups);
	return ret;
}

int hd_far_parse(struct hd_tables *tables, const char *name, const char *data, size_t size,
		 const struct hd_reading *how, struct hd_error *err)
{
	struct far_reader reader;
	int ret = begin(&reader, tables, name, how, err);

	return end(&reader, ret ? ret : feed(&reader, data, size, err), err);
}

int hd_far_read(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		struct hd_error *err)
{
	const uint64_t most =
		(2 * HD_MAX_LID + (uint64_t)1) * (tables->fabric->n_switches + 1ull) * MOST_BYTES;
	struct far_reader reader;
	int ret = begin(&reader, tables, path, how, err);

	if (!ret)
		ret = hd_text_stream(path, most, &reader.lines, feed, &reader, err);
	return end(&reader, ret, err);
}
