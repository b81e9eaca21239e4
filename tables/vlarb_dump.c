// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opensm-vlarb.dump: VL arbitration, which OpenSM does not dump, in the manner of its SL2VL dump,
 *
 *	Switch 0x0000000000200000, base LID 8, "spine 1"
 *	#port table limit : VL:weight ...
 *	#--------------------------------------------------------
 *	1    high  255   : 0:4 1:0
 *	1    low         : 0:0 1:4
 *	#--------------------------------------------------------
 *
 * and an empty line, with two lines for each port whose arbitration is known; ports of adapters
 * have a section each. The parser also takes what `smpquery vlarb` prints, which has no limit (it
 * is in the PortInfo, so 0 is assumed):
 *
 *	# VLArbitration tables: Lid 6 port 1 LowCap 8 HighCap 8
 *	# Low priority VL Arbitration Table:
 *	VL    : |0x0 |0x1 |
 *	WEIGHT: |0x0 |0x4 |
 *	# High priority VL Arbitration Table:
 *	...
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

#define TITLE     "#port table limit : VL:weight ...\n"
#define SEPARATOR "#--------------------------------------------------------\n"

/* Which tables of a port were read. */
enum { HIGH_READ = 1, LOW_READ = 2 };

struct vlarb_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	uint8_t *read;    /* [port] HIGH_READ, LOW_READ */
	uint32_t section; /* end port of the section in heddle's format; HD_NONE: none */
	unsigned n_separators;
	uint32_t port; /* the port that `vlarb` belongs to; HD_NONE: none */
	struct hd_vlarb vlarb;
	int table;          /* smpquery: the table that is read, HIGH_READ or LOW_READ; 0: none */
	unsigned n_pending; /* smpquery: last entries of that table that have no weights yet */
};

/* The lines of a port end: both tables must have been there, whole. */
static int close_port(struct vlarb_reader *reader, struct hd_error *err)
{
	uint32_t port = reader->port;
	unsigned number;

	if (port == HD_NONE)
		return 0;
	number = reader->tables->fabric->ports[port].number;
	if (reader->n_pending)
		return hd_lines_error(&reader->lines, err, "port %u: VLs without weights", number);
	if (reader->read[port] != (HIGH_READ | LOW_READ))
		return hd_lines_error(&reader->lines, err, "port %u lacks its %s-priority table",
				      number, reader->read[port] & HIGH_READ ? "low" : "high");
	reader->port = HD_NONE;
	reader->table = 0;
	return hd_tables_set_vlarb(reader->tables, port, &reader->vlarb, err);
}

static int open_port(struct vlarb_reader *reader, uint32_t port, struct hd_error *err)
{
	int ret = close_port(reader, err);

	if (ret)
		return ret;
	if (reader->read[port])
		return hd_lines_error(&reader->lines, err, "port %u has its tables twice",
				      reader->tables->fabric->ports[port].number);
	reader->port = port;
	memset(&reader->vlarb, 0, sizeof(reader->vlarb));
	return 0;
}

/* Starts one of the tables of the current port, which must be the first of its kind. */
static int open_table(struct vlarb_reader *reader, int table, struct hd_error *err)
{
	if (reader->n_pending)
		return hd_lines_error(&reader->lines, err, "VLs without weights before this line");
	if (reader->read[reader->port] & table)
		return hd_lines_error(&reader->lines, err, "the same table a second time");
	reader->read[reader->port] |= (uint8_t)table;
	return 0;
}

/* Adds an entry. False: the table is full. */
static bool add_entry(struct vlarb_reader *reader, int table, unsigned vl, unsigned weight)
{
	struct hd_vlarb *vlarb = &reader->vlarb;
	uint8_t *n = table == HIGH_READ ? &vlarb->n_high : &vlarb->n_low;
	struct hd_vlarb_entry *entries = table == HIGH_READ ? vlarb->high : vlarb->low;

	if (*n == HD_VLARB_MAX)
		return false;
	entries[(*n)++] = (struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = (uint8_t)weight };
	return true;
}

/* The port that a section's line means with @number; HD_NONE: none. */
static uint32_t port_of(const struct hd_fabric *fabric, uint32_t endport, uint64_t number)
{
	const struct hd_port *port = &fabric->ports[endport];

	if (number > fabric->nodes[port->node].n_ports)
		return HD_NONE;
	if (!hd_is_switch(fabric, port->node))
		return number == port->number ? endport : HD_NONE;
	return hd_port_index(fabric, port->node, (unsigned)number);
}

/* " 0:4 1:0" to the end of the line. */
static int read_entries(struct vlarb_reader *reader, int table, const char *at,
			struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;

	for (;;) {
		uint64_t vl, weight;

		hd_scan_blanks(&at, lines->end);
		if (at == lines->end)
			return 0;
		if (!hd_scan_number(&at, lines->end, 10, 15, &vl) ||
		    !hd_scan_word(&at, lines->end, ":") ||
		    !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &weight) ||
		    (at < lines->end && *at != ' '))
			return hd_lines_error(lines, err,
					      "expected VL:weight, VL in 0..15, weight in 0..255");
		if (!add_entry(reader, table, (unsigned)vl, (unsigned)weight))
			return hd_lines_error(lines, err, "more than %d entries", HD_VLARB_MAX);
	}
}

/* "1    high  255   : 0:4 1:0" or "1    low         : 0:0 1:4" */
static int read_row(struct vlarb_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	uint64_t number, limit = 0;
	uint32_t port;
	int table = 0, ret = 0;

	if (hd_scan_number(&at, lines->end, 10, UINT8_MAX, &number)) {
		hd_scan_blanks(&at, lines->end);
		if (hd_scan_word(&at, lines->end, "high "))
			table = HIGH_READ;
		else if (hd_scan_word(&at, lines->end, "low "))
			table = LOW_READ;
		hd_scan_blanks(&at, lines->end);
		if (table == HIGH_READ && !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &limit))
			table = 0;
		hd_scan_blanks(&at, lines->end);
	}
	if (!table || !hd_scan_word(&at, lines->end, ":"))
		return hd_lines_error(lines, err,
				      "expected 'PORT high LIMIT : ...' or 'PORT low : ...'");
	if (reader->section == HD_NONE)
		return hd_lines_error(lines, err, "VL arbitration outside of a node's section");
	port = port_of(reader->tables->fabric, reader->section, number);
	if (port == HD_NONE)
		return hd_lines_error(lines, err, "the node has no port %" PRIu64, number);
	if (port != reader->port)
		ret = open_port(reader, port, err);
	if (!ret)
		ret = open_table(reader, table, err);
	if (!ret)
		ret = read_entries(reader, table, at, err);
	if (table == HIGH_READ)
		reader->vlarb.high_limit = (uint8_t)limit;
	return ret;
}

/* "# VLArbitration tables: Lid 6 port 1 LowCap 8 HighCap 8", after the colon */
static int read_smpquery_port(struct vlarb_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_fabric *fabric = reader->tables->fabric;
	uint32_t endport, port;
	uint64_t number;
	int ret = hd_dump_scan_lid(lines, &at, fabric, &endport, err);

	if (ret)
		return ret;
	if (!hd_scan_word(&at, lines->end, " port ") ||
	    !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &number))
		return hd_lines_error(lines, err, "expected 'Lid N port N'");
	port = port_of(fabric, endport, number);
	if (port == HD_NONE)
		return hd_lines_error(lines, err, "the node has no port %" PRIu64, number);
	return open_port(reader, port, err);
}

/* One value between bars: "0x4 |"; false at the end of the line or on nonsense. */
static bool scan_bar(const struct hd_lines *lines, const char **at, uint64_t max, uint64_t *value)
{
	if (!hd_scan_hex(at, lines->end, max, value))
		return false;
	hd_scan_blanks(at, lines->end);
	return hd_scan_word(at, lines->end, "|");
}

/* "VL    : |0x0 |0x1 |", after the colon */
static int read_smpquery_vls(struct vlarb_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	uint64_t vl;

	if (reader->port == HD_NONE || !reader->table || reader->n_pending)
		return hd_lines_error(lines, err, "VLs outside of a VL arbitration table");
	hd_scan_blanks(&at, lines->end);
	hd_scan_word(&at, lines->end, "|");
	while (scan_bar(lines, &at, 15, &vl)) {
		if (!add_entry(reader, reader->table, (unsigned)vl, 0))
			return hd_lines_error(lines, err, "more than %d entries", HD_VLARB_MAX);
		reader->n_pending++;
	}
	hd_scan_blanks(&at, lines->end);
	return at == lines->end ? 0 : hd_lines_error(lines, err, "expected '|0xVL |0xVL ...'");
}

/* "WEIGHT: |0x0 |0x4 |", after the colon: as many as there were VLs */
static int read_smpquery_weights(struct vlarb_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	struct hd_vlarb *vlarb = &reader->vlarb;
	uint64_t weight;

	hd_scan_blanks(&at, lines->end);
	hd_scan_word(&at, lines->end, "|");
	for (; reader->n_pending; reader->n_pending--) {
		struct hd_vlarb_entry *end = reader->table == HIGH_READ
						     ? vlarb->high + vlarb->n_high
						     : vlarb->low + vlarb->n_low;

		if (!scan_bar(lines, &at, UINT8_MAX, &weight))
			break;
		end[-(int)reader->n_pending].weight = (uint8_t)weight;
	}
	hd_scan_blanks(&at, lines->end);
	if (reader->n_pending || at != lines->end)
		return hd_lines_error(lines, err, "expected '|0xWEIGHT ...', one for each VL");
	return 0;
}

/* A comment of heddle's format or a heading of smpquery. */
static int read_comment(struct vlarb_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	int table = 0;

	if (hd_scan_word(&at, lines->end, "# VLArbitration tables: "))
		return read_smpquery_port(reader, at, err);
	if (hd_scan_word(&at, lines->end, "# Low priority"))
		table = LOW_READ;
	else if (hd_scan_word(&at, lines->end, "# High priority"))
		table = HIGH_READ;
	if (table) {
		if (reader->port == HD_NONE || reader->section != HD_NONE)
			return hd_lines_error(lines, err, "a table of no port");
		reader->table = table;
		return open_table(reader, table, err);
	}
	if (reader->section != HD_NONE && hd_scan_word(&at, lines->end, "#---") &&
	    ++reader->n_separators == 2) {
		reader->section = HD_NONE;
		return close_port(reader, err);
	}
	return 0;
}

static int read_line(struct vlarb_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	if (hd_lines_is_blank(lines))
		return 0;
	if (*at == '#')
		return read_comment(reader, err);
	if (hd_dump_at_section(lines)) {
		int ret = close_port(reader, err);

		if (!ret && reader->section != HD_NONE)
			ret = hd_lines_error(lines, err,
					     "the section before this one is cut short");
		reader->n_separators = 0;
		return ret ? ret
			   : hd_dump_scan_section(lines, reader->tables->fabric, &reader->section,
						  err);
	}
	if (hd_scan_word(&at, lines->end, "VL    :"))
		return read_smpquery_vls(reader, at, err);
	if (hd_scan_word(&at, lines->end, "WEIGHT:"))
		return read_smpquery_weights(reader, at, err);
	return read_row(reader, err);
}

static int parse_vlarb(struct hd_tables *tables, const char *name, const char *data, size_t size,
		       struct hd_error *err)
{
	struct vlarb_reader reader = { .tables = tables, .section = HD_NONE, .port = HD_NONE };
	int ret = 0;

	reader.read = calloc(tables->fabric->n_ports + (size_t)1, 1);
	if (!reader.read)
		return hd_error_nomem(err);
	hd_lines_begin(&reader.lines, name, data, size);
	while (!ret && hd_lines_next(&reader.lines))
		ret = read_line(&reader, err);
	if (!ret && reader.section != HD_NONE)
		ret = hd_error_at(err, HD_EPARSE, name, reader.lines.number,
				  "the last section is cut short: its closing line is missing");
	if (!ret)
		ret = close_port(&reader, err);
	free(reader.read);
	if (!ret)
		tables->has_vlarb = true;
	return ret;
}

static void write_table(struct hd_writer *writer, unsigned port, const char *heading,
			const struct hd_vlarb_entry *entries, unsigned n)
{
	hd_writer_room(writer, 64 + HD_VLARB_MAX * 8);
	writer->at = hd_put_left(writer->at, port, 4);
	*writer->at++ = ' ';
	writer->at = stpcpy(writer->at, heading);
	for (unsigned i = 0; i < n; i++) {
		*writer->at++ = ' ';
		writer->at = hd_put_decimal(writer->at, entries[i].vl);
		*writer->at++ = ':';
		writer->at = hd_put_decimal(writer->at, entries[i].weight);
	}
	*writer->at++ = '\n';
}

static void write_port(struct hd_writer *writer, const struct hd_tables *tables, uint32_t p)
{
	const struct hd_vlarb *vlarb;
	char high[] = "high  255   :";

	if (tables->vlarb_of_port[p] == HD_NONE)
		return;
	vlarb = &tables->vlarbs[tables->vlarb_of_port[p]];
	hd_put_left(high + 6, vlarb->high_limit, 3);
	write_table(writer, tables->fabric->ports[p].number, high, vlarb->high, vlarb->n_high);
	write_table(writer, tables->fabric->ports[p].number, "low         :", vlarb->low,
		    vlarb->n_low);
}

static int write_vlarb(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *order = hd_dump_endports(fabric);
	struct hd_writer writer;
	int ret = order ? hd_writer_begin(&writer, stream, err) : hd_error_nomem(err);

	if (ret) {
		free(order);
		return ret;
	}
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		uint32_t first = order[i], last = first;
		bool is_known = false;

		if (hd_is_switch(fabric, fabric->ports[first].node))
			last += fabric->nodes[fabric->ports[first].node].n_ports;
		for (uint32_t p = first; p <= last; p++)
			is_known |= tables->vlarb_of_port[p] != HD_NONE;
		if (!is_known)
			continue;
		hd_dump_put_section(&writer, fabric, first);
		hd_writer_string(&writer, TITLE SEPARATOR);
		for (uint32_t p = first; p <= last; p++)
			write_port(&writer, tables, p);
		hd_writer_string(&writer, SEPARATOR "\n");
	}
	free(order);
	return hd_writer_end(&writer, err);
}

const struct hd_dump_format hd_dump_vlarb = {
	.name = "vlarb",
	.file = "opensm-vlarb.dump",
	.summary = "VL arbitration tables by port",
	.parse = parse_vlarb,
	.write = write_vlarb,
};
