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
 * with a section for each switch that has groups. A line of a LID has the default port, which is
 * that of the LFT (255: none there either), the state, and the number of the group. LIDs that a
 * section leaves out are static. The numbers in the first and the last line tell whether the file
 * is whole.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

#define HEADING "AR tables of "

struct ar_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	uint64_t n_promised, n_read; /* sections */
	bool has_heading;
	bool *seen; /* [switch] */
	uint32_t s; /* of the current section; HD_NONE: none */
	uint64_t n_lids;
	uint32_t last_lid;
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
	reader->n_lids = 0;
	reader->last_lid = 0;
	return 0;
}

/* "group 0: 1 2 3", after the first word. */
static int read_group(struct ar_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	struct hd_ar *ar = reader->tables->ar;
	const unsigned n_ports = reader->tables->fabric->nodes[reader->s].n_ports;
	const uint32_t next = ar->groups[reader->s].n;
	struct hd_port_set set = { { 0 } };
	uint64_t number, port;
	uint16_t group;
	int ret;

	if (!hd_scan_number(&at, lines->end, 10, UINT32_MAX, &number) ||
	    !hd_scan_word(&at, lines->end, ":"))
		return hd_lines_error(lines, err, "expected 'group N: PORT ...'");
	if (number != next || reader->n_lids)
		return hd_lines_error(
			lines, err, "groups come before LIDs, in order: group %" PRIu32 " is next",
			next);
	for (unsigned last = 0; at != lines->end; last = (unsigned)port) {
		if (!hd_scan_word(&at, lines->end, " ") ||
		    !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &port))
			return hd_lines_error(lines, err, "expected 'group N: PORT ...'");
		if (port <= last || port > n_ports)
			return hd_lines_error(
				lines, err, "port %" PRIu64 ": expected ascending ones of 1 .. %u",
				port, n_ports);
		hd_port_set_add(&set, (unsigned)port);
	}
	if (hd_port_set_count(&set) < 2)
		return hd_lines_error(lines, err, "a group has two ports at least");
	ret = hd_ar_intern(ar, reader->s, &set, &group);
	if (ret == HD_ENOMEM)
		return hd_error_nomem(err);
	if (ret)
		return hd_lines_error(lines, err, "more than %u groups", HD_AR_MAX_GROUPS);
	if (group != next)
		return hd_lines_error(lines, err, "the same ports as group %u", group);
	return 0;
}

/* "0x0001 002 free 0" */
static int read_lid(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_tables *tables = reader->tables;
	const char *at = lines->begin;
	uint64_t lid, port, group;
	enum hd_ar_state state = HD_AR_STATIC;
	size_t entry;

	if (!hd_scan_hex(&at, lines->end, UINT16_MAX, &lid) ||
	    !hd_scan_word(&at, lines->end, " ") ||
	    !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &port) ||
	    !hd_scan_word(&at, lines->end, " "))
		return hd_lines_error(lines, err, "expected '0xLID PORT STATE GROUP'");
	if (hd_scan_word(&at, lines->end, "free "))
		state = HD_AR_FREE;
	else if (hd_scan_word(&at, lines->end, "bounded "))
		state = HD_AR_BOUNDED;
	if (state == HD_AR_STATIC || !hd_scan_number(&at, lines->end, 10, UINT16_MAX, &group) ||
	    at != lines->end)
		return hd_lines_error(lines, err,
				      "expected 'free' or 'bounded', and the number of a group");
	if (lid <= reader->last_lid || lid > tables->fabric->top_lid)
		return hd_lines_error(lines, err,
				      "LID 0x%04" PRIx64 ": expected ascending ones up to 0x%04x",
				      lid, tables->fabric->top_lid);
	if (group >= tables->ar->groups[reader->s].n)
		return hd_lines_error(lines, err, "there is no group %" PRIu64, group);
	entry = reader->s * tables->lft_stride + lid;
	if (tables->lft[entry] != port)
		return hd_lines_error(lines, err,
				      "default port %" PRIu64 ", but the LFT of the switch has %u",
				      port, tables->lft[entry]);
	tables->ar->state[entry] = (uint8_t)state;
	tables->ar->group[entry] = (uint16_t)group;
	reader->last_lid = (uint32_t)lid;
	reader->n_lids++;
	return 0;
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
	reader->s = HD_NONE;
	reader->n_read++;
	return 0;
}

static int read_line(struct ar_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

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
	if (hd_scan_word(&at, lines->end, "0x"))
		return read_lid(reader, err);
	return close_section(reader, err);
}

static int parse_ar(struct hd_tables *tables, const char *name, const char *data, size_t size,
		    struct hd_error *err)
{
	struct ar_reader reader = { .tables = tables, .s = HD_NONE };
	int ret = 0;

	reader.seen = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader.seen));
	if (!reader.seen)
		return hd_error_nomem(err);
	hd_lines_begin(&reader.lines, name, data, size);
	while (!ret && hd_lines_next(&reader.lines))
		ret = read_line(&reader, err);
	free(reader.seen);
	if (ret)
		return ret;
	if (!reader.has_heading)
		return hd_error_at(err, HD_EPARSE, name, reader.lines.number,
				   "expected '" HEADING "N switches' first");
	if (reader.s != HD_NONE)
		return hd_error_at(err, HD_EPARSE, name, reader.lines.number,
				   "the last section is cut short: 'N groups, N lids dumped' is "
				   "missing");
	if (reader.n_read != reader.n_promised)
		return hd_error_at(err, HD_EPARSE, name, reader.lines.number,
				   "the file has %" PRIu64 " of %" PRIu64 " switches",
				   reader.n_read, reader.n_promised);
	return 0;
}

static void write_group(struct hd_writer *writer, uint32_t number, const struct hd_port_set *set)
{
	hd_writer_string(writer, "group ");
	hd_writer_room(writer, 16 + 4 * 256);
	writer->at = hd_put_decimal(writer->at, number);
	*writer->at++ = ':';
	hd_for_each_in_set(port, set) {
		*writer->at++ = ' ';
		writer->at = hd_put_decimal(writer->at, port);
	}
	*writer->at++ = '\n';
}

static void write_lid(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
		      uint32_t lid)
{
	const size_t entry = s * tables->lft_stride + lid;
	const unsigned port = tables->lft[entry];
	char *at;

	hd_writer_room(writer, 64);
	at = stpcpy(writer->at, "0x");
	at = hd_put_hex(at, lid, 4);
	*at++ = ' ';
	*at++ = (char)('0' + port / 100);
	*at++ = (char)('0' + port / 10 % 10);
	*at++ = (char)('0' + port % 10);
	*at++ = ' ';
	at = stpcpy(at, hd_ar_state_name(tables->ar->state[entry]));
	*at++ = ' ';
	at = hd_put_decimal(at, tables->ar->group[entry]);
	*at++ = '\n';
	writer->at = at;
}

static void write_section(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s)
{
	const struct hd_ar_groups *groups = &tables->ar->groups[s];
	uint64_t n_lids = 0;

	hd_writer_string(writer, "\n");
	hd_dump_put_section(writer, tables->fabric, tables->fabric->nodes[s].first_port);
	for (uint32_t i = 0; i < groups->n; i++)
		write_group(writer, i, &groups->sets[i]);
	hd_for_each_lid(lid, tables->fabric) {
		if (!hd_ar_ports(tables, s, lid))
			continue;
		write_lid(writer, tables, s, lid);
		n_lids++;
	}
	hd_writer_room(writer, 64);
	writer->at = hd_put_decimal(writer->at, groups->n);
	writer->at = stpcpy(writer->at, " groups, ");
	writer->at = hd_put_decimal(writer->at, n_lids);
	writer->at = stpcpy(writer->at, " lids dumped\n");
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
		n += tables->ar->groups[s].n > 0;
	hd_writer_string(&writer, HEADING);
	hd_writer_room(&writer, 32);
	writer.at = hd_put_decimal(writer.at, n);
	hd_writer_string(&writer, " switches\n");
	for (uint32_t i = 0; i < fabric->n_switches; i++)
		if (tables->ar->groups[order[i]].n)
			write_section(&writer, tables, order[i]);
	free(order);
	return hd_writer_end(&writer, err);
}

const struct hd_dump_format hd_dump_ar = {
	.name = "ar",
	.file = "ar.dump",
	.summary = "AR tables: sets of ports by LID",
	.parse = parse_ar,
	.write = write_ar,
};
