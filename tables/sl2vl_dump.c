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
 *
 * A short dump, which we alone write and read, has in-ports with equal rows as "0-8 1", and after a
 * section the other end ports that have the same one,
 *
 *	= 0x0000000000200001
 *
 * ibdiagnet2.slvl may have sections like OpenSM's, or rows that each name their node
 * (tables/slvl_row.h). Comments may stand outside of sections.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"
#include "tables/slvl_row.h"

#define TITLE     "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
#define SEPARATOR "#--------------------------------------------------------\n"

/* The longest line that tools write. */
#define MOST_BYTES 192

struct sl2vl_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	bool *seen;       /* [port] its section was read */
	uint32_t port;    /* end port of the section being read; HD_NONE: none */
	bool is_smpquery; /* the section is smpquery's, without an end */
	unsigned n_separators;
	uint64_t n_rows;
	uint32_t whole; /* end port of the last section that was read to its end; HD_NONE: none */
	bool outs[HD_MAX_PORTS + 1]; /* out-ports of that section */
	struct hd_slvl_node node;    /* of the last row that names one */
	uint8_t *excess; /* [switch] rows that name it, beyond those of whole out-ports */
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
	reader->whole = reader->port;
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
	reader->whole = HD_NONE;
	memset(reader->outs, 0, sizeof(reader->outs));
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

/* "0   1   :" or "0-8 1   :" or "ports: in  0, out  1: |"; @last: the last in-port. */
static bool scan_ports(const struct hd_lines *lines, const char **at, bool is_smpquery,
		       uint64_t *in, uint64_t *last, uint64_t *out)
{
	const char *end = lines->end;

	if (is_smpquery && !hd_scan_word(at, end, "ports: in "))
		return false;
	hd_scan_blanks(at, end);
	if (!hd_scan_number(at, end, 10, UINT8_MAX, in))
		return false;
	*last = *in;
	if (!is_smpquery && hd_scan_word(at, end, "-") &&
	    (!hd_scan_number(at, end, 10, UINT8_MAX, last) || *last < *in))
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
	uint64_t in = 0, last = 0, out = 0;
	hd_sl2vl_row *row, value;

	if (reader->port == HD_NONE)
		return hd_lines_error(lines, err, "an SL2VL row outside of a node's table");
	if (!scan_ports(lines, &at, reader->is_smpquery, &in, &last, &out) ||
	    !scan_vls(lines, at, reader->is_smpquery, &value))
		return hd_lines_error(lines, err, "expected in-port, out-port and 16 VLs in 0..15");
	row = find_row(reader, last, out);
	if (!row)
		return hd_lines_error(lines, err,
				      "in-port %" PRIu64 ", out-port %" PRIu64
				      ": the node has no such ports",
				      last, out);
	/* the rows of an out-port stand together */
	for (uint64_t i = in; i <= last; i++)
		*(row - (last - i)) = value;
	reader->n_rows += last - in + 1;
	reader->outs[out] = true;
	return 0;
}

/* The end port of the current line has the rows of the last section. */
static void copy_rows(const struct sl2vl_reader *reader, uint32_t port)
{
	struct hd_tables *tables = reader->tables;
	const struct hd_port *from = &tables->fabric->ports[reader->whole];
	const struct hd_port *to = &tables->fabric->ports[port];
	const unsigned n_ports = tables->fabric->nodes[to->node].n_ports;

	if (!hd_is_switch(tables->fabric, to->node)) {
		tables->sl2vl[hd_sl2vl_host_index(tables, to->node, to->number)] =
			tables->sl2vl[hd_sl2vl_host_index(tables, from->node, from->number)];
		return;
	}
	for (unsigned out = 0; out <= n_ports; out++)
		if (reader->outs[out])
			memcpy(&tables->sl2vl[hd_sl2vl_index(tables, to->node, 0, out)],
			       &tables->sl2vl[hd_sl2vl_index(tables, from->node, 0, out)],
			       (n_ports + (size_t)1) * sizeof(*tables->sl2vl));
}

static int read_like(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_fabric *fabric = reader->tables->fabric;
	const char *at = lines->begin + 1;
	const struct hd_node *node, *other;
	uint64_t guid;
	uint32_t port;

	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_hex(&at, lines->end, UINT64_MAX, &guid) || at != lines->end)
		return hd_lines_error(lines, err, "expected '= 0xGUID'");
	if (reader->port != HD_NONE || reader->whole == HD_NONE)
		return hd_lines_error(lines, err, "'=' without a whole table before it");
	port = hd_fabric_find_port(fabric, guid);
	if (port == HD_NONE)
		return hd_lines_error(lines, err, "the fabric has no port 0x%016" PRIx64, guid);
	node = &fabric->nodes[fabric->ports[port].node];
	other = &fabric->nodes[fabric->ports[reader->whole].node];
	if ((node->type == HD_SWITCH) != (other->type == HD_SWITCH) ||
	    (node->type == HD_SWITCH && node->n_ports != other->n_ports))
		return hd_lines_error(
			lines, err, "port 0x%016" PRIx64 " cannot have the table before this line",
			guid);
	if (reader->seen[port])
		return hd_lines_error(lines, err, "port 0x%016" PRIx64 " has a second table", guid);
	reader->seen[port] = true;
	copy_rows(reader, port);
	return 0;
}

static int read_comment(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	if (hd_scan_word(&at, lines->end, "# SL2VL table: "))
		return begin_section(reader, true, err);
	if (reader->port == HD_NONE)
		return hd_scan_word(&at, lines->end, "#in") || hd_scan_word(&at, lines->end, "#--")
			       ? hd_lines_error(lines, err, "'#' outside of a node's table")
			       : 0;
	/* one line of dashes before the rows, one after them */
	if (hd_scan_word(&at, lines->end, "#---") && ++reader->n_separators == 2)
		return end_section(reader, err);
	return 0;
}

static int read_named_row(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	uint32_t port, node;
	int ret = hd_slvl_read_row(reader->tables, &reader->lines, &reader->node, &port, err);

	if (ret)
		return ret;
	reader->seen[port] = true;
	node = fabric->ports[port].node;
	if (hd_is_switch(fabric, node) && ++reader->excess[node] == fabric->nodes[node].n_ports + 1)
		reader->excess[node] = 0;
	return 0;
}

static int read_line(struct sl2vl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;

	if (reader->port == HD_NONE && lines->end - lines->begin > 2 && lines->begin[0] == '0' &&
	    lines->begin[1] == 'x')
		return read_named_row(reader, err);
	if (hd_lines_is_blank(lines))
		return 0;
	if (*lines->begin == '#')
		return read_comment(reader, err);
	if (*lines->begin == '=')
		return read_like(reader, err);
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

/* Whether all of the table of the end port or switch at @port was read, as far as its rows tell. */
static bool has_table(const struct sl2vl_reader *reader, uint32_t port)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	const uint32_t node = fabric->ports[port].node;

	return reader->seen[port] && !(hd_is_switch(fabric, node) && reader->excess[node]);
}

static void find_gap(const struct sl2vl_reader *reader)
{
	struct hd_tables *tables = reader->tables;

	hd_for_each_port(p, tables->fabric)
		if (!has_table(reader, p) && needs_table(tables->fabric, p))
			hd_gap_add(&tables->sl2vl_gap, p);
}

static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct sl2vl_reader *reader = of;
	int ret = 0;

	hd_lines_go_on(&reader->lines, data, size);
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	return ret;
}

static int begin(struct sl2vl_reader *reader, struct hd_tables *tables, const char *name,
		 struct hd_error *err)
{
	*reader = (struct sl2vl_reader){
		.lines.file = name,
		.tables = tables,
		.port = HD_NONE,
		.whole = HD_NONE,
		.seen = calloc(tables->fabric->n_ports + (size_t)1, sizeof(*reader->seen)),
		.excess = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader->excess)),
	};
	if (reader->seen && reader->excess)
		return 0;
	free(reader->seen);
	free(reader->excess);
	return hd_error_nomem(err);
}

static int end(struct sl2vl_reader *reader, int ret, struct hd_error *err)
{
	if (!ret && reader->port != HD_NONE && !reader->is_smpquery)
		ret = hd_lines_error(&reader->lines, err,
				     "the last table is cut short: its closing line is missing");
	if (!ret) {
		find_gap(reader);
		reader->tables->has_sl2vl = true;
	}
	free(reader->seen);
	free(reader->excess);
	return ret;
}

static int parse_sl2vl(struct hd_tables *tables, const char *name, const char *data, size_t size,
		       struct hd_error *err)
{
	struct sl2vl_reader reader;
	int ret = begin(&reader, tables, name, err);

	return ret ? ret : end(&reader, feed(&reader, data, size, err), err);
}

static int read_sl2vl(struct hd_tables *tables, const char *path, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint64_t n_lines = tables->sl2vl_first[fabric->n_nodes] + fabric->n_endports * 8ull;
	struct sl2vl_reader reader;
	int ret = begin(&reader, tables, path, err);

	if (ret)
		return ret;
	return end(&reader,
		   hd_text_stream(path, n_lines * MOST_BYTES, &reader.lines, feed, &reader, err),
		   err);
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

/* The row of in-ports @in to @last. */
static void write_row(struct hd_writer *writer, unsigned in, unsigned last, unsigned out,
		      hd_sl2vl_row value, struct row_text *cache)
{
	if (value != cache->value)
		format_row(cache, value);
	hd_writer_room(writer, 128);
	if (last > in) {
		writer->at = hd_put_decimal(writer->at, in);
		*writer->at++ = '-';
		writer->at = hd_put_decimal(writer->at, last);
	} else {
		writer->at = hd_put_left(writer->at, in, 3);
	}
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

/* Whether a dump has rows of switch @s to port @out. */
static bool has_out(const struct hd_tables *tables, uint32_t s, unsigned out)
{
	return out ? hd_peer_node(tables->fabric, s, out) != HD_NONE : has_port0_rows(tables, s);
}

static void write_switch(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
			 bool is_short, struct row_text *cache)
{
	const unsigned n_ports = tables->fabric->nodes[s].n_ports;

	for (unsigned out = 0; out <= n_ports; out++) {
		const hd_sl2vl_row *rows = &tables->sl2vl[hd_sl2vl_index(tables, s, 0, out)];

		if (!has_out(tables, s, out))
			continue;
		for (unsigned in = 0, last; in <= n_ports; in = last + 1) {
			last = in;
			while (is_short && last < n_ports && rows[last + 1] == rows[in])
				last++;
			write_row(writer, in, last, out, rows[in], cache);
		}
	}
}

/* OpenSM knows ports that are linked, and switches; a switch without ports has no table. */
static bool is_dumped(const struct hd_fabric *fabric, const struct hd_port *port)
{
	if (hd_is_switch(fabric, port->node))
		return fabric->nodes[port->node].n_ports > 0;
	return port->peer != HD_NONE;
}

static void write_section(struct hd_writer *writer, const struct hd_tables *tables, uint32_t p,
			  bool is_short, struct row_text *cache)
{
	const struct hd_port *port = &tables->fabric->ports[p];

	hd_dump_put_section(writer, tables->fabric, p);
	hd_writer_string(writer, TITLE SEPARATOR);
	if (hd_is_switch(tables->fabric, port->node))
		write_switch(writer, tables, port->node, is_short, cache);
	else
		write_row(writer, 0, 0, 0,
			  tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)],
			  cache);
	hd_writer_string(writer, SEPARATOR "\n");
}

/* A number that end ports with the same section have in common. */
static uint64_t hash_section(const struct hd_tables *tables, uint32_t p)
{
	const struct hd_port *port = &tables->fabric->ports[p];
	const unsigned n_ports = tables->fabric->nodes[port->node].n_ports;
	uint64_t hash = n_ports;

	if (!hd_is_switch(tables->fabric, port->node))
		return ~tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)];
	for (unsigned out = 0; out <= n_ports; out++) {
		const hd_sl2vl_row *rows =
			&tables->sl2vl[hd_sl2vl_index(tables, port->node, 0, out)];

		if (!has_out(tables, port->node, out))
			continue;
		hash = (hash ^ out) * UINT64_C(0x9E3779B97F4A7C15);
		for (unsigned in = 0; in <= n_ports; in++)
			hash = (hash ^ rows[in] ^ hash >> 29) * UINT64_C(0xD6E8FEB86659FD93);
	}
	return hash;
}

static bool are_sections_equal(const struct hd_tables *tables, uint32_t a, uint32_t b)
{
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_port *x = &fabric->ports[a], *y = &fabric->ports[b];
	const unsigned n_ports = fabric->nodes[x->node].n_ports;

	if (hd_is_switch(fabric, x->node) != hd_is_switch(fabric, y->node))
		return false;
	if (!hd_is_switch(fabric, x->node))
		return tables->sl2vl[hd_sl2vl_host_index(tables, x->node, x->number)] ==
		       tables->sl2vl[hd_sl2vl_host_index(tables, y->node, y->number)];
	if (fabric->nodes[y->node].n_ports != n_ports)
		return false;
	for (unsigned out = 0; out <= n_ports; out++) {
		if (has_out(tables, x->node, out) != has_out(tables, y->node, out))
			return false;
		if (has_out(tables, x->node, out) &&
		    memcmp(&tables->sl2vl[hd_sl2vl_index(tables, x->node, 0, out)],
			   &tables->sl2vl[hd_sl2vl_index(tables, y->node, 0, out)],
			   (n_ports + (size_t)1) * sizeof(*tables->sl2vl)) != 0)
			return false;
	}
	return true;
}

/* An end port in OpenSM's order, for finding those with the same section. */
struct section {
	uint64_t hash;
	uint32_t place;
};

static int compare_sections(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/*
 * Chains the @n end ports of @order that have the same section: next[] of each is the next one's
 * place, @n at the end; is_first[] the first one of a chain.
 */
static int chain_sections(const struct hd_tables *tables, const uint32_t *order, uint32_t n,
			  uint32_t *next, bool *is_first, struct hd_error *err)
{
	struct section *sections = malloc((n + (size_t)1) * sizeof(*sections));

	if (!sections)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n; i++)
		sections[i] = (struct section){ hash_section(tables, order[i]), i };
	qsort(sections, n, sizeof(*sections), compare_sections);
	for (uint32_t i = 0; i < n; i++) {
		const struct section *section = &sections[i];

		next[section->place] = n;
		is_first[section->place] = i == 0 || section[-1].hash != section->hash ||
					   !are_sections_equal(tables, order[section[-1].place],
							       order[section->place]);
		if (!is_first[section->place])
			next[section[-1].place] = section->place;
	}
	free(sections);
	return 0;
}

/* Each section once, at its first end port, then the others that have it. */
static int write_shared(struct hd_writer *writer, const struct hd_tables *tables,
			const uint32_t *order, uint32_t n, struct row_text *cache,
			struct hd_error *err)
{
	uint32_t *next = malloc((n + (size_t)1) * sizeof(*next));
	bool *is_first = malloc(n + (size_t)1);
	int ret = next && is_first ? chain_sections(tables, order, n, next, is_first, err)
				   : hd_error_nomem(err);

	for (uint32_t i = 0; !ret && i < n; i++) {
		if (!is_first[i])
			continue;
		write_section(writer, tables, order[i], true, cache);
		for (uint32_t k = next[i]; k < n; k = next[k]) {
			hd_writer_room(writer, 64);
			writer->at = stpcpy(writer->at, "= 0x");
			writer->at =
				hd_put_hex(writer->at, tables->fabric->ports[order[k]].guid, 16);
			*writer->at++ = '\n';
		}
	}
	free(next);
	free(is_first);
	return ret;
}

static int write_tables(const struct hd_tables *tables, bool is_short, FILE *stream,
			struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *order = hd_dump_endports(fabric), n = 0;
	struct row_text cache;
	struct hd_writer writer;
	int ret = order ? hd_writer_begin(&writer, stream, err) : hd_error_nomem(err), end;

	if (ret) {
		free(order);
		return ret;
	}
	for (uint32_t i = 0; i < fabric->n_endports; i++)
		if (is_dumped(fabric, &fabric->ports[order[i]]))
			order[n++] = order[i];
	format_row(&cache, 0);
	if (is_short)
		ret = write_shared(&writer, tables, order, n, &cache, err);
	else
		for (uint32_t i = 0; i < n; i++)
			write_section(&writer, tables, order[i], false, &cache);
	free(order);
	end = hd_writer_end(&writer, ret ? NULL : err);
	return ret ? ret : end;
}

static int write_sl2vl(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	return write_tables(tables, false, stream, err);
}

static int write_short_sl2vl(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	return write_tables(tables, true, stream, err);
}

static bool is_sl2vl_long(const struct hd_tables *tables)
{
	return tables->sl2vl_first[tables->fabric->n_nodes] > HD_DUMP_MANY;
}

const struct hd_dump_format hd_dump_sl2vl = {
	.name = "sl2vl",
	.file = "opensm-sl2vl.dump",
	.summary = "SL2VL tables by in-port and out-port, as OpenSM dumps them",
	.parse = parse_sl2vl,
	.read = read_sl2vl,
	.write = write_sl2vl,
	.is_long = is_sl2vl_long,
	.write_short = write_short_sl2vl,
};
