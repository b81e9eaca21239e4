// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ar.dump: AR tables,
 *
 *	AR tables of 9 switches
 *
 *	Switch 0x0000000000200000, base LID 8, "spine 1"
 *	group 0: 1 2 3
 *	group 1: 4 5
 *	0x0001 002 free 0
 *	0x0004 005 bounded 1
 *	2 groups, 2 lids dumped
 *
 * with a section for each switch that has groups, private LFTs or VL2VL. A line of a LID has the
 * default port, which is that of the LFT (255: none there either), the state, and the number of the
 * group. LIDs that a section leaves out are static. " / " stands between subgroups. Before its last
 * line a section may have
 *
 *	plfts 2 by VL
 *	in 1-4: 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0
 *	plft 1
 *	0x0001 003 free 1
 *	0x0002 001 static
 *	vl2vl
 *	in 1-4 out 5-6: 1 2 2 3 4 5 6 7 8 9 10 11 12 13 14
 *
 * the map by in-port and VL (or SL: 16 columns), in which in-ports that are left out have pLFT 0;
 * each private LFT, in which LIDs that are left out have no path; and the VL2VL rows, of which
 * those that are left out keep the VL. The numbers in the first and the last line tell whether the
 * file is whole.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

#define HEADING "AR tables of "

/* Nothing longer stands behind the port of an entry: "bounded 4095". */
#define TAIL 16

/* What the lines of a section are about. */
enum part { LFT, MAP, PRIVATE, VL2VL };

struct ar_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	uint64_t n_promised, n_read; /* sections */
	bool has_heading;
	bool *seen; /* [switch] */
	uint32_t s; /* of the current section; HD_NONE: none */
	enum part part;
	unsigned plft;   /* of the lines of LIDs */
	bool *given;     /* [in-port] of the map, [out * (n_ports + 1) + in] of VL2VL */
	uint64_t n_lids; /* of all pLFTs of the section */
	uint32_t last_lid;
	/* what stands behind the port in the last line of a LID: lines in a row mostly end alike */
	char tail[TAIL];
	size_t tail_length; /* 0: nothing is kept */
	enum hd_ar_state tail_state;
	uint16_t tail_group;
};

static int read_heading(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	if (!hd_scan_word(&at, lines->end, HEADING) ||
	    !hd_scan_number(&at, lines->end, 10, UINT32_MAX, &reader->n_promised) ||
	    (!hd_scan_word(&at, lines->end, " switches") &&
	     !hd_scan_word(&at, lines->end, " switch")) ||
	    at != lines->end)
		return hd_lines_error(lines, err, "expected '" HEADING "N switches' first");
	reader->has_heading = true;
	hd_ar_free(reader->tables->ar, reader->tables->fabric);
	reader->tables->ar = NULL;
	return hd_ar_new(reader->tables, err);
}

static int open_section(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	uint32_t port;
	int ret = hd_dump_scan_section(&reader->lines, fabric, &port, err);

	if (ret)
		return ret;
	if (reader->s != HD_NONE)
		return hd_lines_error(&reader->lines, err,
				      "the section before this one is cut short");
	if (!hd_is_switch(fabric, fabric->ports[port].node))
		return hd_lines_error(&reader->lines, err, "AR tables are those of switches");
	reader->s = fabric->ports[port].node;
	if (reader->seen[reader->s])
		return hd_lines_error(&reader->lines, err, "this switch has a section already");
	reader->seen[reader->s] = true;
	reader->part = LFT;
	reader->plft = 0;
	reader->n_lids = 0;
	reader->last_lid = 0;
	reader->tail_length = 0;
	return 0;
}

/* The ports of a group, in @n subgroups. */
static int read_subgroups(struct ar_reader *reader, const char *at, struct hd_port_set *subgroups,
			  unsigned *n, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const unsigned n_ports = reader->tables->fabric->nodes[reader->s].n_ports;
	struct hd_port_set all = { { 0 } };
	unsigned last = 0;
	uint64_t port;

	*n = 1;
	while (at != lines->end) {
		if (last && hd_scan_word(&at, lines->end, " /")) {
			if (*n == HD_AR_MAX_SUBGROUPS)
				return hd_lines_error(lines, err, "more than %u subgroups",
						      HD_AR_MAX_SUBGROUPS);
			++*n;
			last = 0;
		}
		if (!hd_scan_word(&at, lines->end, " ") ||
		    !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &port))
			return hd_lines_error(lines, err,
					      "expected 'group N: PORT ... / PORT ...'");
		if (port <= last || port > n_ports)
			return hd_lines_error(
				lines, err, "port %" PRIu64 ": expected ascending ones of 1 .. %u",
				port, n_ports);
		if (hd_port_set_has(&all, (unsigned)port))
			return hd_lines_error(lines, err, "port %" PRIu64 " is in two subgroups",
					      port);
		last = (unsigned)port;
		hd_port_set_add(&all, last);
		hd_port_set_add(&subgroups[*n - 1], last);
	}
	if (hd_port_set_count(&all) < 2)
		return hd_lines_error(lines, err, "a group has two ports at least");
	return 0;
}

/* "group 0: 1 2 3 / 4 5", after the first word. */
static int read_group(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	struct hd_ar *ar = reader->tables->ar;
	const uint32_t next = ar->groups[reader->s].n;
	struct hd_port_set subgroups[HD_AR_MAX_SUBGROUPS] = { { { 0 } } };
	uint64_t number;
	uint16_t group;
	unsigned n;
	int ret;

	if (!hd_scan_number(&at, lines->end, 10, UINT32_MAX, &number) ||
	    !hd_scan_word(&at, lines->end, ":"))
		return hd_lines_error(lines, err, "expected 'group N: PORT ... / PORT ...'");
	if (number != next || reader->n_lids || reader->part != LFT)
		return hd_lines_error(
			lines, err, "groups come before LIDs, in order: group %" PRIu32 " is next",
			next);
	ret = read_subgroups(reader, at, subgroups, &n, err);
	if (ret)
		return ret;
	ret = hd_ar_intern_subgroups(ar, reader->s, subgroups, n, &group);
	if (ret == HD_ENOMEM)
		return hd_error_nomem(err);
	if (ret)
		return hd_lines_error(lines, err, "more than %u groups", HD_AR_MAX_GROUPS);
	if (group != next)
		return hd_lines_error(lines, err, "the same ports as group %u", group);
	return 0;
}

/* "free 0", "static" */
static int read_state(const struct ar_reader *reader, const char *at, struct hd_ar_entry *entry,
		      struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	uint64_t group;

	entry->group = HD_AR_NO_GROUP;
	for (entry->state = HD_AR_STATIC; entry->state < HD_AR_STATES; entry->state++)
		if (hd_scan_word(&at, lines->end, hd_ar_state_name(entry->state)))
			break;
	if (entry->state == HD_AR_STATIC && at == lines->end && reader->plft)
		return 0;
	if (entry->state == HD_AR_STATES || !hd_scan_word(&at, lines->end, " ") ||
	    !hd_scan_number(&at, lines->end, 10, UINT16_MAX, &group) || at != lines->end)
		return hd_lines_error(lines, err,
				      "expected 'free', 'bounded', 'hash' or 'static', and the "
				      "number of a group");
	if (group >= reader->tables->ar->groups[reader->s].n)
		return hd_lines_error(lines, err, "there is no group %" PRIu64, group);
	entry->group = (uint16_t)group;
	return 0;
}

/* The same; takes what it read for the line before where both end alike. */
static int read_tail(struct ar_reader *reader, const char *at, struct hd_ar_entry *entry,
		     struct hd_error *err)
{
	const size_t length = (size_t)(reader->lines.end - at);
	int ret;

	if (length && length == reader->tail_length && memcmp(at, reader->tail, length) == 0) {
		entry->state = reader->tail_state;
		entry->group = reader->tail_group;
		return 0;
	}
	ret = read_state(reader, at, entry, err);
	if (ret || length > TAIL)
		return ret;
	memcpy(reader->tail, at, length);
	reader->tail_length = length;
	reader->tail_state = entry->state;
	reader->tail_group = entry->group;
	return 0;
}

static int keep_entry(struct ar_reader *reader, uint64_t lid, const struct hd_ar_entry *entry,
		      struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_tables *tables = reader->tables;
	const unsigned n_ports = tables->fabric->nodes[reader->s].n_ports;
	struct hd_ar *ar = tables->ar;
	const size_t at = reader->s * tables->lft_stride + lid;

	if (reader->plft) {
		struct hd_ar_lft *lft = &ar->switches[reader->s].lfts[reader->plft - 1];

		if (entry->port > n_ports && entry->port != HD_NO_PATH)
			return hd_lines_error(lines, err,
					      "default port %u, but the switch has %u ports",
					      entry->port, n_ports);
		lft->port[lid] = entry->port;
		lft->state[lid] = (uint8_t)entry->state;
		lft->group[lid] = entry->group;
		return 0;
	}
	if (tables->lft[at] != entry->port)
		return hd_lines_error(lines, err,
				      "default port %u, but the LFT of the switch has %u",
				      entry->port, tables->lft[at]);
	ar->state[at] = (uint8_t)entry->state;
	ar->group[at] = entry->group;
	return 0;
}

#define DIGITS 11 /* "0x0001 002 " */

/* Reads "0x0001 002 ", as heddle writes it; false: it looks otherwise, which may be right, too. */
static bool scan_own(const char **cursor, const char *end, uint64_t *lid, uint64_t *port)
{
	const char *at = *cursor;
	unsigned good = HD_IS_DIGIT;

	if (end - at < DIGITS || at[0] != '0' || at[1] != 'x' || at[6] != ' ' || at[10] != ' ')
		return false;
	*lid = *port = 0;
	for (unsigned i = 2; i < 6; i++) {
		const unsigned digit = hd_digit_value[(unsigned char)at[i]];

		good &= digit;
		*lid = *lid << 4 | (digit & 0xF);
	}
	for (unsigned i = 7; i < 10; i++) {
		if (at[i] < '0' || at[i] > '9')
			return false;
		*port = *port * 10 + (unsigned)(at[i] - '0');
	}
	*cursor += DIGITS;
	return good && *port <= UINT8_MAX;
}

static bool scan_any(const char **cursor, const char *end, uint64_t *lid, uint64_t *port)
{
	return hd_scan_hex(cursor, end, UINT16_MAX, lid) && hd_scan_word(cursor, end, " ") &&
	       hd_scan_number(cursor, end, 10, UINT8_MAX, port) && hd_scan_word(cursor, end, " ");
}

/* "0x0001 002 free 0" */
static int read_lid(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const uint32_t top_lid = reader->tables->fabric->top_lid;
	const char *at = lines->begin;
	struct hd_ar_entry entry = { 0 };
	uint64_t lid, port;
	int ret;

	if (reader->part != LFT && reader->part != PRIVATE)
		return hd_lines_error(lines, err, "a LID outside of an LFT");
	if (!scan_own(&at, lines->end, &lid, &port)) {
		at = lines->begin;
		if (!scan_any(&at, lines->end, &lid, &port))
			return hd_lines_error(lines, err, "expected '0xLID PORT STATE GROUP'");
	}
	entry.port = (uint8_t)port;
	ret = read_tail(reader, at, &entry, err);
	if (ret)
		return ret;
	if (lid <= reader->last_lid || lid > top_lid)
		return hd_lines_error(lines, err,
				      "LID 0x%04" PRIx64 ": expected ascending ones up to 0x%04x",
				      lid, top_lid);
	reader->last_lid = (uint32_t)lid;
	reader->n_lids++;
	return keep_entry(reader, lid, &entry, err);
}

/* "3" or "1-4": ports of the switch, port 0 among them. */
static int read_range(const struct ar_reader *reader, const char **at, uint64_t *first,
		      uint64_t *last, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const unsigned n_ports = reader->tables->fabric->nodes[reader->s].n_ports;

	if (!hd_scan_number(at, lines->end, 10, UINT8_MAX, first))
		return hd_lines_error(lines, err, "expected a port or a range of ports");
	*last = *first;
	if (hd_scan_word(at, lines->end, "-") &&
	    !hd_scan_number(at, lines->end, 10, UINT8_MAX, last))
		return hd_lines_error(lines, err, "expected a port or a range of ports");
	if (*first > *last || *last > n_ports)
		return hd_lines_error(lines, err,
				      "ports %" PRIu64 "-%" PRIu64 ": expected some of 0 .. %u",
				      *first, *last, n_ports);
	return 0;
}

/* ": 0 1 ..." to the end of the line: @n numbers up to @max. */
static int read_columns(const struct ar_reader *reader, const char *at, unsigned n, unsigned max,
			uint8_t *columns, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	bool ok = hd_scan_word(&at, lines->end, ":");
	uint64_t number;

	for (unsigned i = 0; ok && i < n; i++) {
		ok = hd_scan_word(&at, lines->end, " ") &&
		     hd_scan_number(&at, lines->end, 10, max, &number);
		if (ok)
			columns[i] = (uint8_t)number;
	}
	if (!ok || at != lines->end)
		return hd_lines_error(lines, err, "expected %u numbers of 0 .. %u", n, max);
	return 0;
}

/* Room to note what of the map or of VL2VL the section has given. */
static int begin_given(struct ar_reader *reader, size_t n, struct hd_error *err)
{
	free(reader->given);
	reader->given = calloc(n, sizeof(*reader->given));
	return reader->given ? 0 : hd_error_nomem(err);
}

static size_t count_ins(const struct ar_reader *reader)
{
	return reader->tables->fabric->nodes[reader->s].n_ports + (size_t)1;
}

/* "plfts 3 by VL", after the first word. */
static int begin_map(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	enum hd_ar_key key = HD_AR_BY_SL;
	uint64_t n;

	if (reader->part != LFT)
		return hd_lines_error(lines, err, "'plfts' does not come here");
	if (!hd_scan_number(&at, lines->end, 10, UINT32_MAX, &n))
		return hd_lines_error(lines, err, "expected 'plfts N by SL' or 'plfts N by VL'");
	if (n < 2 || n > HD_AR_MAX_PLFTS)
		return hd_lines_error(lines, err, "%" PRIu64 " pLFTs: expected 2 .. %u", n,
				      HD_AR_MAX_PLFTS);
	if (hd_scan_word(&at, lines->end, " by VL"))
		key = HD_AR_BY_VL;
	else if (!hd_scan_word(&at, lines->end, " by SL"))
		at = NULL;
	if (at != lines->end)
		return hd_lines_error(lines, err, "expected 'plfts N by SL' or 'plfts N by VL'");
	reader->part = MAP;
	if (hd_ar_add_plfts(reader->tables, reader->s, (unsigned)n, key))
		return hd_error_nomem(err);
	return begin_given(reader, count_ins(reader), err);
}

/* "in 1-4: 0 1 1 ...", after the first word. */
static int read_map_row(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_ar_switch *own = &reader->tables->ar->switches[reader->s];
	const unsigned n = own->key == HD_AR_BY_SL ? HD_MAX_SLS : HD_MAX_VLS;
	uint8_t columns[HD_MAX_SLS] = { 0 };
	uint64_t first, last;
	int ret = read_range(reader, &at, &first, &last, err);

	if (!ret)
		ret = read_columns(reader, at, n, own->n_plfts - 1, columns, err);
	for (; !ret && first <= last; first++) {
		if (reader->given[first])
			return hd_lines_error(&reader->lines, err,
					      "in-port %" PRIu64 " was given before", first);
		reader->given[first] = true;
		memcpy(own->plft + first * HD_MAX_SLS, columns, sizeof(columns));
	}
	return ret;
}

/* "plft 1", after the first word. */
static int begin_private(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const unsigned next = reader->plft + 1;
	uint64_t number;

	if (!hd_scan_number(&at, lines->end, 10, UINT32_MAX, &number) || at != lines->end)
		return hd_lines_error(lines, err, "expected 'plft N'");
	if (reader->part == LFT || reader->part == VL2VL || number != next ||
	    next >= reader->tables->ar->switches[reader->s].n_plfts)
		return hd_lines_error(lines, err, "pLFT %" PRIu64 " does not come here", number);
	reader->part = PRIVATE;
	reader->plft = next;
	reader->last_lid = 0;
	return 0;
}

static bool has_all_plfts(const struct ar_reader *reader)
{
	return reader->plft + 1 == reader->tables->ar->switches[reader->s].n_plfts;
}

static int begin_vl2vl(struct ar_reader *reader, struct hd_error *err)
{
	const size_t n = count_ins(reader);

	if (reader->part == VL2VL || !has_all_plfts(reader))
		return hd_lines_error(&reader->lines, err, "'vl2vl' does not come here");
	reader->part = VL2VL;
	if (hd_ar_add_vl2vl(reader->tables, reader->s))
		return hd_error_nomem(err);
	return begin_given(reader, n * n, err);
}

/* "in 1-4 out 5-6: 0 1 2 ...", after the first word. */
static int read_vl2vl_row(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	hd_sl2vl_row *rows = reader->tables->ar->switches[reader->s].vl2vl;
	hd_sl2vl_row row = HD_AR_KEEP_VL;
	const size_t n = count_ins(reader);
	uint8_t columns[HD_MAX_VLS] = { 0 };
	uint64_t first_in, last_in, first, last;
	int ret = read_range(reader, &at, &first_in, &last_in, err);

	if (!ret && !hd_scan_word(&at, lines->end, " out "))
		ret = hd_lines_error(lines, err, "expected 'in PORTS out PORTS: VL ...'");
	if (!ret)
		ret = read_range(reader, &at, &first, &last, err);
	if (!ret)
		ret = read_columns(reader, at, HD_MAX_VLS, HD_VL_DROP, columns, err);
	if (ret)
		return ret;
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		row = hd_row_set(row, vl, columns[vl]);
	for (uint64_t in = first_in; in <= last_in; in++)
		for (uint64_t out = first; out <= last; out++) {
			if (reader->given[out * n + in])
				return hd_lines_error(lines, err,
						      "in-port %" PRIu64 " and out-port %" PRIu64
						      " were given before",
						      in, out);
			reader->given[out * n + in] = true;
			rows[out * n + in] = row;
		}
	return 0;
}

static int read_row(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	if (reader->part == MAP)
		return read_map_row(reader, at, err);
	if (reader->part == VL2VL)
		return read_vl2vl_row(reader, at, err);
	return hd_lines_error(&reader->lines, err, "'in' follows 'plfts' or 'vl2vl'");
}

/* "2 groups, 2 lids dumped" */
static int close_section(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	uint64_t groups, lids;

	if (!hd_scan_number(&at, lines->end, 10, UINT32_MAX, &groups) ||
	    !hd_scan_word(&at, lines->end, " groups, ") ||
	    !hd_scan_number(&at, lines->end, 10, UINT32_MAX, &lids) ||
	    !hd_scan_word(&at, lines->end, " lids dumped") || at != lines->end)
		return hd_lines_error(lines, err,
				      "neither a group nor a LID nor the section's end");
	if (groups != reader->tables->ar->groups[reader->s].n || lids != reader->n_lids)
		return hd_lines_error(lines, err,
				      "the section had %" PRIu32 " groups and %" PRIu64 " LIDs",
				      reader->tables->ar->groups[reader->s].n, reader->n_lids);
	if (!has_all_plfts(reader))
		return hd_lines_error(lines, err, "the section lacks pLFT %u", reader->plft + 1);
	reader->s = HD_NONE;
	reader->n_read++;
	return 0;
}

static int read_line(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	/* nearly all lines */
	if (reader->s != HD_NONE && hd_scan_word(&at, lines->end, "0x"))
		return read_lid(reader, err);
	if (hd_lines_is_blank(lines))
		return 0;
	if (!reader->has_heading)
		return read_heading(reader, err);
	if (hd_dump_at_section(lines))
		return open_section(reader, err);
	if (reader->s == HD_NONE)
		return hd_lines_error(lines, err, "expected a switch's section");
	if (hd_scan_word(&at, lines->end, "group "))
		return read_group(reader, at, err);
	if (hd_scan_word(&at, lines->end, "in "))
		return read_row(reader, at, err);
	if (hd_scan_word(&at, lines->end, "plfts "))
		return begin_map(reader, at, err);
	if (hd_scan_word(&at, lines->end, "plft "))
		return begin_private(reader, at, err);
	if (hd_scan_word(&at, lines->end, "vl2vl") && at == lines->end)
		return begin_vl2vl(reader, err);
	return close_section(reader, err);
}

static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct ar_reader *reader = of;
	int ret = 0;

	hd_lines_go_on(&reader->lines, data, size);
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	return ret;
}

static int begin(struct ar_reader *reader, struct hd_tables *tables, const char *name,
		 struct hd_error *err)
{
	*reader = (struct ar_reader){
		.lines.file = name,
		.tables = tables,
		.s = HD_NONE,
		.seen = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader->seen)),
	};
	return reader->seen ? 0 : hd_error_nomem(err);
}

static int end(struct ar_reader *reader, int ret, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;

	free(reader->seen);
	free(reader->given);
	if (ret)
		return ret;
	if (!reader->has_heading)
		return hd_lines_error(lines, err, "expected '" HEADING "N switches' first");
	if (reader->s != HD_NONE)
		return hd_lines_error(lines, err,
				      "the last section is cut short: 'N groups, N lids dumped' is "
				      "missing");
	if (reader->n_read != reader->n_promised)
		return hd_lines_error(lines, err,
				      "the file has %" PRIu64 " of %" PRIu64 " switches",
				      reader->n_read, reader->n_promised);
	return 0;
}

static int parse_ar(struct hd_tables *tables, const char *name, const char *data, size_t size,
		    struct hd_error *err)
{
	struct ar_reader reader;
	int ret = begin(&reader, tables, name, err);

	return end(&reader, ret ? ret : feed(&reader, data, size, err), err);
}

static int read_ar(struct hd_tables *tables, const char *path, struct hd_error *err)
{
	struct ar_reader reader;
	int ret = begin(&reader, tables, path, err);

	if (!ret)
		ret = hd_text_stream(path, HD_TEXT_MAX, &reader.lines, feed, &reader, err);
	return end(&reader, ret, err);
}

static void write_group(struct hd_writer *writer, const struct hd_ar_groups *groups, uint32_t group)
{
	hd_writer_string(writer, "group ");
	hd_writer_room(writer, 16 + 4 * 256 + 2 * HD_AR_MAX_SUBGROUPS);
	writer->at = hd_put_decimal(writer->at, group);
	*writer->at++ = ':';
	for (uint32_t i = groups->first[group]; i < groups->first[group + 1]; i++) {
		if (i > groups->first[group])
			writer->at = stpcpy(writer->at, " /");
		hd_for_each_in_set(port, &groups->subgroups[i]) {
			*writer->at++ = ' ';
			writer->at = hd_put_decimal(writer->at, port);
		}
	}
	*writer->at++ = '\n';
}

static void write_lid(struct hd_writer *writer, const struct hd_ar_entry *entry, uint32_t lid)
{
	char *at;

	hd_writer_room(writer, 64);
	at = stpcpy(writer->at, "0x");
	at = hd_put_hex(at, lid, 4);
	*at++ = ' ';
	*at++ = (char)('0' + entry->port / 100);
	*at++ = (char)('0' + entry->port / 10 % 10);
	*at++ = (char)('0' + entry->port % 10);
	*at++ = ' ';
	at = stpcpy(at, hd_ar_state_name(entry->state));
	if (entry->set) {
		*at++ = ' ';
		at = hd_put_decimal(at, entry->group);
	}
	*at++ = '\n';
	writer->at = at;
}

/* Returns the number of lines. */
static uint64_t write_lids(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
			   unsigned plft)
{
	uint64_t n = 0;

	hd_for_each_lid(lid, tables->fabric) {
		const struct hd_ar_entry entry = hd_ar_entry(tables, s, plft, lid);

		if (!entry.set && (!plft || entry.port == HD_NO_PATH))
			continue;
		write_lid(writer, &entry, lid);
		n++;
	}
	return n;
}

static void write_range(struct hd_writer *writer, const char *word, size_t first, size_t last)
{
	hd_writer_room(writer, 64);
	writer->at = stpcpy(writer->at, word);
	writer->at = hd_put_decimal(writer->at, first);
	if (last == first)
		return;
	*writer->at++ = '-';
	writer->at = hd_put_decimal(writer->at, last);
}

static void write_columns(struct hd_writer *writer, const uint8_t *columns, unsigned n)
{
	hd_writer_room(writer, 128);
	*writer->at++ = ':';
	for (unsigned i = 0; i < n; i++) {
		*writer->at++ = ' ';
		writer->at = hd_put_decimal(writer->at, columns[i]);
	}
	*writer->at++ = '\n';
}

/* In-ports in a row with equal rows share a line. */
static void write_map(struct hd_writer *writer, const struct hd_ar_switch *own, size_t n_ins)
{
	static const uint8_t lft[HD_MAX_SLS] = { 0 };

	hd_writer_room(writer, 64);
	writer->at = stpcpy(writer->at, "plfts ");
	writer->at = hd_put_decimal(writer->at, own->n_plfts);
	writer->at = stpcpy(writer->at, own->key == HD_AR_BY_SL ? " by SL\n" : " by VL\n");
	for (size_t in = 0, last; in < n_ins; in = last + 1) {
		const uint8_t *row = own->plft + in * HD_MAX_SLS;

		last = in;
		while (last + 1 < n_ins &&
		       memcmp(row, own->plft + (last + 1) * HD_MAX_SLS, HD_MAX_SLS) == 0)
			last++;
		if (memcmp(row, lft, sizeof(lft)) == 0)
			continue;
		write_range(writer, "in ", in, last);
		write_columns(writer, row, own->key == HD_AR_BY_SL ? HD_MAX_SLS : HD_MAX_VLS);
	}
}

/* Out-ports in a row with equal rows from an in-port share a line. */
static void write_vl2vl(struct hd_writer *writer, const hd_sl2vl_row *rows, size_t n)
{
	hd_writer_string(writer, "vl2vl\n");
	for (size_t in = 0; in < n; in++)
		for (size_t out = 0, last; out < n; out = last + 1) {
			const hd_sl2vl_row row = rows[out * n + in];
			uint8_t columns[HD_MAX_VLS];

			last = out;
			while (last + 1 < n && rows[(last + 1) * n + in] == row)
				last++;
			if (row == HD_AR_KEEP_VL)
				continue;
			for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
				columns[vl] = (uint8_t)hd_row_vl(row, vl);
			write_range(writer, "in ", in, in);
			write_range(writer, " out ", out, last);
			write_columns(writer, columns, HD_MAX_VLS);
		}
}

static void write_section(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s)
{
	const struct hd_ar_groups *groups = &tables->ar->groups[s];
	const struct hd_ar_switch *own = &tables->ar->switches[s];
	const size_t n_ins = tables->fabric->nodes[s].n_ports + (size_t)1;
	uint64_t n_lids;

	hd_writer_string(writer, "\n");
	hd_dump_put_section(writer, tables->fabric, tables->fabric->nodes[s].first_port);
	for (uint32_t i = 0; i < groups->n; i++)
		write_group(writer, groups, i);
	n_lids = write_lids(writer, tables, s, 0);
	if (own->n_plfts > 1)
		write_map(writer, own, n_ins);
	for (unsigned plft = 1; plft < own->n_plfts; plft++) {
		write_range(writer, "plft ", plft, plft);
		hd_writer_string(writer, "\n");
		n_lids += write_lids(writer, tables, s, plft);
	}
	if (own->vl2vl)
		write_vl2vl(writer, own->vl2vl, n_ins);
	hd_writer_room(writer, 64);
	writer->at = hd_put_decimal(writer->at, groups->n);
	writer->at = stpcpy(writer->at, " groups, ");
	writer->at = hd_put_decimal(writer->at, n_lids);
	writer->at = stpcpy(writer->at, " lids dumped\n");
}

/* Whether switch @s has anything beside its LFT. */
static bool has_section(const struct hd_ar *ar, uint32_t s)
{
	return ar->groups[s].n || ar->switches[s].n_plfts > 1 || ar->switches[s].vl2vl;
}

static int write_ar(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *order = hd_dump_switches(fabric), n = 0;
	struct hd_writer writer;
	int ret = order ? hd_writer_begin(&writer, stream, err) : hd_error_nomem(err);

	if (ret) {
		free(order);
		return ret;
	}
	hd_for_each_switch(s, fabric)
		n += has_section(tables->ar, s);
	hd_writer_string(&writer, HEADING);
	hd_writer_room(&writer, 32);
	writer.at = hd_put_decimal(writer.at, n);
	hd_writer_string(&writer, " switches\n");
	for (uint32_t i = 0; i < fabric->n_switches; i++)
		if (has_section(tables->ar, order[i]))
			write_section(&writer, tables, order[i]);
	free(order);
	return hd_writer_end(&writer, err);
}

const struct hd_dump_format hd_dump_ar = {
	.name = "ar",
	.file = "ar.dump",
	.summary = "AR tables: sets of ports by LID, private LFTs, VL2VL",
	.parse = parse_ar,
	.read = read_ar,
	.write = write_ar,
};
