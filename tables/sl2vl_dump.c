// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opensm-sl2vl.dump, and what `smpquery sl2vl` prints. OpenSM writes, for every end port in its
 * order of GUIDs,
 *
 *	Switch 0x0000000000200000, base LID 8, "spine 1"
 *	#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
 *	#--------------------------------------------------------
 *	0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7
 *	#--------------------------------------------------------
 *
 * with every in-port of every linked out-port of a switch, "0   0" of an adapter's port, VLs padded
 * with blanks to two characters, and an empty line after each table. Out-port 0 is not among them:
 * on an enhanced port 0 we write it when it is not what an unprogrammed port has. smpquery prints
 *
 *	# SL2VL table: Lid 6
 *	#                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
 *	ports: in  0, out  1: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

#define TITLE     "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
#define SEPARATOR "#--------------------------------------------------------\n"

struct sl2vl_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	bool *seen;       /* [port] its section was read */
	uint32_t port;    /* end port of the section being read; HD_NONE: none */
	bool is_smpquery; /* the section is smpquery's, without an end */
	unsigned n_separators;
	uint64_t n_rows;
};

static int end_section(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	const struct hd_node *node = &fabric->nodes[fabric->ports[reader->port].node];
	unsigned n_in = node->type == HD_SWITCH ? node->n_ports + 1u : 1;

	if (reader->n_rows % n_in || (node->type != HD_SWITCH && reader->n_rows != 1))
		return hd_lines_error(&reader->lines, err,
				      "%" PRIu64 " rows are not %u for each out-port",
				      reader->n_rows, n_in);
	reader->port = HD_NONE;
	return 0;
}

static int begin_section(struct sl2vl_reader *reader, bool is_smpquery, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	int ret;

	if (reader->port != HD_NONE && !reader->is_smpquery)
		return hd_lines_error(lines, err, "the table before this one is cut short");
	if (is_smpquery) {
		hd_scan_word(&at, lines->end, "# SL2VL table: ");
		ret = hd_dump_scan_lid(lines, &at, reader->tables->fabric, &reader->port, err);
	} else {
		ret = hd_dump_scan_section(lines, reader->tables->fabric, &reader->port, err);
	}
	if (ret)
		return ret;
	/* smpquery is asked port by port */
	if (!is_smpquery && reader->seen[reader->port])
		return hd_lines_error(lines, err, "port 0x%016" PRIx64 " has a second table",
				      reader->tables->fabric->ports[reader->port].guid);
	reader->seen[reader->port] = true;
	reader->is_smpquery = is_smpquery;
	reader->n_separators = 0;
	reader->n_rows = 0;
	return 0;
}

/* Where the row of (in, out) goes; NULL when the node has no such ports. */
static hd_sl2vl_row *find_row(const struct sl2vl_reader *reader, uint64_t in, uint64_t out)
{
	struct hd_tables *tables = reader->tables;
	const struct hd_port *port = &tables->fabric->ports[reader->port];
	unsigned n_ports = tables->fabric->nodes[port->node].n_ports;

	if (hd_is_switch(tables->fabric, port->node)) {
		if (in > n_ports || out > n_ports)
			return NULL;
		return &tables->sl2vl[hd_sl2vl_index(tables, port->node, (unsigned)in,
						     (unsigned)out)];
	}
	if (in || out)
		return NULL;
	return &tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)];
}

/* "0   1   :" or "ports: in  0, out  1: |". */
static bool scan_ports(const struct hd_lines *lines, const char **at, bool is_smpquery,
		       uint64_t *in, uint64_t *out)
{
	const char *end = lines->end;

	if (is_smpquery && !hd_scan_word(at, end, "ports: in "))
		return false;
	hd_scan_blanks(at, end);
	if (!hd_scan_number(at, end, 10, UINT8_MAX, in))
		return false;
	if (is_smpquery && !hd_scan_word(at, end, ", out "))
		return false;
	hd_scan_blanks(at, end);
	if (!hd_scan_number(at, end, 10, UINT8_MAX, out))
		return false;
	hd_scan_blanks(at, end);
	return hd_scan_word(at, end, ":");
}

/* Sixteen VLs up to the end of the line, each after blanks; smpquery's between bars. */
static bool scan_vls(const struct hd_lines *lines, const char *at, bool is_smpquery,
		     hd_sl2vl_row *row)
{
	const char *end = lines->end;

	*row = 0;
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		unsigned vl;

		hd_scan_blanks(&at, end);
		if (is_smpquery && !hd_scan_word(&at, end, "|"))
			return false;
		hd_scan_blanks(&at, end);
		if (at == end || *at < '0' || *at > '9')
			return false;
		vl = (unsigned)(*at++ - '0');
		if (at < end && *at >= '0' && *at <= '9')
			vl = vl * 10 + (unsigned)(*at++ - '0');
		if (vl > 15 || (at < end && *at != ' ' && *at != '|'))
			return false;
		*row |= (hd_sl2vl_row)vl << (4 * sl);
	}
	if (is_smpquery && !hd_scan_word(&at, end, "|"))
		return false;
	hd_scan_blanks(&at, end);
	return at == end;
}

static int read_row(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	uint64_t in = 0, out = 0;
	hd_sl2vl_row *row, value;

	if (reader->port == HD_NONE)
		return hd_lines_error(lines, err, "an SL2VL row outside of a node's table");
	if (!scan_ports(lines, &at, reader->is_smpquery, &in, &out) ||
	    !scan_vls(lines, at, reader->is_smpquery, &value))
		return hd_lines_error(lines, err, "expected in-port, out-port and 16 VLs in 0..15");
	row = find_row(reader, in, out);
	if (!row)
		return hd_lines_error(lines, err,
				      "in-port %" PRIu64 ", out-port %" PRIu64
				      ": the node has no such ports",
				      in, out);
	*row = value;
	reader->n_rows++;
	return 0;
}

static int read_comment(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	if (hd_scan_word(&at, lines->end, "# SL2VL table: "))
		return begin_section(reader, true, err);
	if (reader->port == HD_NONE)
		return hd_lines_error(lines, err, "'#' outside of a node's table");
	/* one line of dashes before the rows, one after them */
	if (hd_scan_word(&at, lines->end, "#---") && ++reader->n_separators == 2)
		return end_section(reader, err);
	return 0;
}

static int read_line(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;

	if (hd_lines_is_blank(lines))
		return 0;
	if (*lines->begin == '#')
		return read_comment(reader, err);
	if (hd_dump_at_section(lines))
		return begin_section(reader, false, err);
	return read_row(reader, err);
}

/* Whether packets that matter leave the end port or switch at @port, so that a table is needed. */
static bool needs_table(const struct hd_fabric *fabric, uint32_t port)
{
	uint32_t node = fabric->ports[port].node;

	if (!hd_is_switch(fabric, node))
		return hd_is_end_port(fabric, port);
	hd_for_each_number(out, fabric, node)
		if (hd_peer_node(fabric, node, out) != HD_NONE)
			return fabric->ports[port].number == 0;
	return false;
}

static void find_gap(const struct sl2vl_reader *reader)
{
	struct hd_tables *tables = reader->tables;

	hd_for_each_port(p, tables->fabric)
		if (!reader->seen[p] && needs_table(tables->fabric, p))
			hd_gap_add(&tables->sl2vl_gap, p);
}

static int parse_sl2vl(struct hd_tables *tables, const char *name, const char *data, size_t size,
		       struct hd_error *err)
{
	struct sl2vl_reader reader = { .tables = tables, .port = HD_NONE };
	int ret = 0;

	reader.seen = calloc(tables->fabric->n_ports + (size_t)1, sizeof(*reader.seen));
	if (!reader.seen)
		return hd_error_nomem(err);
	hd_lines_begin(&reader.lines, name, data, size);
	while (!ret && hd_lines_next(&reader.lines))
		ret = read_line(&reader, err);
	if (!ret && reader.port != HD_NONE && !reader.is_smpquery)
		ret = hd_error_at(err, HD_EPARSE, name, reader.lines.number,
				  "the last table is cut short: its closing line is missing");
	if (!ret) {
		find_gap(&reader);
		tables->has_sl2vl = true;
	}
	free(reader.seen);
	return ret;
}

/*
 * The part of a line that depends on the VLs: a colon, 16 times " %-2d", a newline. Consecutive
 * rows are often equal.
 */
#define ROW_TEXT (1 + HD_MAX_SLS * 3 + 1)

struct row_text {
	hd_sl2vl_row value;
	char text[ROW_TEXT];
};

static void format_row(struct row_text *cache, hd_sl2vl_row value)
{
	char *at = cache->text;

	cache->value = value;
	*at++ = ':';
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		*at++ = ' ';
		at = hd_put_left(at, hd_row_vl(value, sl), 2);
	}
	*at = '\n';
}

static void write_row(struct hd_writer *writer, unsigned in, unsigned out, hd_sl2vl_row value,
		      struct row_text *cache)
{
	if (value != cache->value)
		format_row(cache, value);
	hd_writer_room(writer, 128);
	writer->at = hd_put_left(writer->at, in, 3);
	*writer->at++ = ' ';
	writer->at = hd_put_left(writer->at, out, 3);
	*writer->at++ = ' ';
	memcpy(writer->at, cache->text, ROW_TEXT);
	writer->at += ROW_TEXT;
}

/* Whether out-port 0 of switch @s was programmed, or read. */
static bool has_port0_rows(const struct hd_tables *tables, uint32_t s)
{
	const struct hd_node *node = &tables->fabric->nodes[s];
	hd_sl2vl_row identity = hd_row_identity(tables->fabric->ports[node->first_port].vls);

	for (unsigned in = 0; node->enhanced_port0 && in <= node->n_ports; in++)
		if (tables->sl2vl[hd_sl2vl_index(tables, s, in, 0)] != identity)
			return true;
	return false;
}

static void write_switch(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
			 struct row_text *cache)
{
	const struct hd_node *node = &tables->fabric->nodes[s];

	for (unsigned out = 0; out <= node->n_ports; out++) {
		const struct hd_port *port = &tables->fabric->ports[node->first_port + out];

		if (out ? port->peer == HD_NONE : !has_port0_rows(tables, s))
			continue;
		for (unsigned in = 0; in <= node->n_ports; in++)
			write_row(writer, in, out,
				  tables->sl2vl[hd_sl2vl_index(tables, s, in, out)], cache);
	}
}

/* OpenSM knows ports that are linked, and switches; a switch without ports has no table. */
static bool is_dumped(const struct hd_fabric *fabric, const struct hd_port *port)
{
	if (hd_is_switch(fabric, port->node))
		return fabric->nodes[port->node].n_ports > 0;
	return port->peer != HD_NONE;
}

static int write_sl2vl(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *order = hd_dump_endports(fabric);
	struct row_text cache;
	struct hd_writer writer;
	int ret = order ? hd_writer_begin(&writer, stream, err) : hd_error_nomem(err);

	if (ret) {
		free(order);
		return ret;
	}
	format_row(&cache, 0);
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[order[i]];

		if (!is_dumped(fabric, port))
			continue;
		hd_dump_put_section(&writer, fabric, order[i]);
		hd_writer_string(&writer, TITLE SEPARATOR);
		if (hd_is_switch(fabric, port->node))
			write_switch(&writer, tables, port->node, &cache);
		else
			write_row(&writer, 0, 0,
				  tables->sl2vl[hd_sl2vl_host_index(tables, port->node,
								    port->number)],
				  &cache);
		hd_writer_string(&writer, SEPARATOR "\n");
	}
	free(order);
	return hd_writer_end(&writer, err);
}

const struct hd_dump_format hd_dump_sl2vl = {
	.name = "sl2vl",
	.file = "opensm-sl2vl.dump",
	.summary = "SL2VL tables by in-port and out-port, as OpenSM dumps them",
	.parse = parse_sl2vl,
	.write = write_sl2vl,
};
