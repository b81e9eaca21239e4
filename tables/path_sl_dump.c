// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * path-sl.dump, as `ibdmchk -c` reads it: a line for each pair of a source and a destination LID,
 *
 *	0x0000000000100000 5 0
 *
 * with the GUID of the source's node (ibdmchk knows no other), the LID in decimal and the SL. The
 * lines of a source stand together. Reading also takes the GUID of a port, and writing gives it
 * where the ports of an adapter have different SLs. A LID without a line has no SL (HD_NO_SL); a
 * source without lines has SL 0 to everywhere.
 *
 * The number of lines is quadratic: 300 million for 16,512 hosts. Beyond FULL_LINES lines, sources
 * with equal SLs share the lines of the first one, and follow them by a line each,
 *
 *	= 0x0000000000100002
 *
 * which ibdmchk skips. A short dump, which we alone write and read, has a line for 64 LIDs, with a
 * hexadecimal digit for the SL to each, and '-' where there is none:
 *
 *	0x0000000000100000 0x0040: 0000111-...
 *
 * A source that has no SL to any LID is such a line of 64 '-' for LID 0, in both forms: no line at
 * all would mean SL 0 to everywhere. ibdmchk skips that line, too.
 *
 * Where ports have several LIDs, a comment for each port of an end node says which of them belong
 * together, for hosts that choose among the LIDs of a destination (host/own_sls.h) and have no
 * fabric:
 *
 *	# port 0x0000000000100001 lid 4 lmc 1
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/classes.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"
#include "tables/sl_rows.h"

/* What 1,448 end ports need: some 50 MB. */
#define FULL_LINES HD_DUMP_MANY

/* LIDs of a line of a short dump. */
#define BLOCK 64

/* More than a line has for each LID. */
#define MOST_BYTES 48

/* How a port got its row, while reading. */
enum { UNSEEN, SEEN_AS_NODE, SEEN_AS_PORT };

struct path_sl_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	uint8_t *seen;         /* [port] */
	uint32_t *row_of_port; /* [port] 0: no lines */
	uint8_t *current;      /* [stride] the row being read */
	uint64_t guid;         /* of its source */
	bool is_open;
	bool has_row; /* last_row is the row of some source */
	uint32_t last_row;
	struct hd_sl_rows rows; /* row 0 is all zero: sources without lines */
};

/* Gives the row that was read last to the port, or to all ports of the node, with @guid. */
static int assign(struct path_sl_reader *reader, uint64_t guid, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	uint32_t node = hd_fabric_find_node(fabric, guid);
	uint8_t how = node != HD_NONE ? SEEN_AS_NODE : SEEN_AS_PORT;
	uint32_t first, last;

	if (node != HD_NONE) {
		first = fabric->nodes[node].first_port;
		last = hd_is_switch(fabric, node) ? first : first + fabric->nodes[node].n_ports;
	} else {
		first = last = hd_fabric_find_port(fabric, guid);
	}
	for (uint32_t p = first; p <= last; p++) {
		if (reader->seen[p] >= how || (how == SEEN_AS_NODE && reader->seen[p]))
			return hd_lines_error(&reader->lines, err,
					      "source 0x%016" PRIx64 " once more: the lines of a "
					      "source stand together",
					      guid);
		reader->seen[p] = how;
		reader->row_of_port[p] = reader->last_row;
	}
	return 0;
}

static int close_source(struct path_sl_reader *reader, struct hd_error *err)
{
	int ret;

	if (!reader->is_open)
		return 0;
	reader->is_open = false;
	reader->has_row = true;
	ret = hd_sl_rows_intern(&reader->rows, reader->current, &reader->last_row, err);
	return ret ? ret : assign(reader, reader->guid, err);
}

static int check_source(const struct path_sl_reader *reader, uint64_t guid, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;

	if (hd_fabric_find_node(fabric, guid) == HD_NONE &&
	    hd_fabric_find_port(fabric, guid) == HD_NONE)
		return hd_lines_error(&reader->lines, err,
				      "the fabric has no node or port 0x%016" PRIx64, guid);
	return 0;
}

static int open_source(struct path_sl_reader *reader, uint64_t guid, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	int ret = close_source(reader, err);

	if (!ret)
		ret = check_source(reader, guid, err);
	if (ret)
		return ret;
	reader->guid = guid;
	reader->is_open = true;
	memset(reader->current, 0, reader->tables->lft_stride);
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].port != HD_NONE)
			reader->current[lid] = HD_NO_SL;
	return 0;
}

static int read_like(struct path_sl_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	uint64_t guid;
	int ret;

	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_hex(&at, lines->end, UINT64_MAX, &guid) || at != lines->end)
		return hd_lines_error(lines, err, "expected '= 0xGUID'");
	ret = close_source(reader, err);
	if (!ret && !reader->has_row)
		ret = hd_lines_error(lines, err, "'=' before any source's SLs");
	if (!ret)
		ret = check_source(reader, guid, err);
	return ret ? ret : assign(reader, guid, err);
}

/* Opens the source @guid, unless its lines are being read. */
static int go_to_source(struct path_sl_reader *reader, uint64_t guid, struct hd_error *err)
{
	return reader->is_open && guid == reader->guid ? 0 : open_source(reader, guid, err);
}

/* "0x0040: 0000111-..." of @guid, from @at on. */
static int read_block(struct path_sl_reader *reader, uint64_t guid, const char *at,
		      struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_fabric *fabric = reader->tables->fabric;
	unsigned valid = HD_IS_DIGIT;
	uint64_t first;
	int ret;

	if (!hd_scan_hex(&at, lines->end, UINT16_MAX, &first) ||
	    !hd_scan_word(&at, lines->end, ": ") || lines->end - at != BLOCK || first % BLOCK)
		return hd_lines_error(lines, err, "expected '0xGUID 0xLID: ' and %u SLs", BLOCK);
	ret = go_to_source(reader, guid, err);
	if (ret)
		return ret;
	for (uint32_t lid = (uint32_t)first; at < lines->end; at++, lid++) {
		if (*at == '-')
			continue;
		if (lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE)
			return hd_lines_error(lines, err, "no port of the fabric has LID %" PRIu32,
					      lid);
		valid &= hd_digit_value[(unsigned char)*at];
		reader->current[lid] = hd_digit_value[(unsigned char)*at] & 15;
	}
	return valid ? 0 : hd_lines_error(lines, err, "an SL that is no hexadecimal digit");
}

static int read_line(struct path_sl_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	uint64_t guid, lid, sl;
	int ret;

	if (hd_lines_is_blank(lines) || *at == '#')
		return 0;
	if (hd_scan_word(&at, lines->end, "="))
		return read_like(reader, at, err);
	if (!hd_scan_hex(&at, lines->end, UINT64_MAX, &guid) || !hd_scan_word(&at, lines->end, " "))
		return hd_lines_error(lines, err, "expected '0xGUID LID SL'");
	if (lines->end - at > 1 && at[1] == 'x')
		return read_block(reader, guid, at, err);
	if (!hd_scan_number(&at, lines->end, 10, UINT16_MAX, &lid) ||
	    !hd_scan_word(&at, lines->end, " ") ||
	    !hd_scan_number(&at, lines->end, 10, UINT8_MAX, &sl) || at != lines->end)
		return hd_lines_error(lines, err, "expected '0xGUID LID SL'");
	ret = go_to_source(reader, guid, err);
	if (ret)
		return ret;
	if (lid > reader->tables->fabric->top_lid ||
	    reader->tables->fabric->lids[lid].port == HD_NONE)
		return hd_lines_error(lines, err, "no port of the fabric has LID %" PRIu64, lid);
	if (sl >= HD_MAX_SLS)
		return hd_lines_error(lines, err, "SL %" PRIu64 " is not in 0..15", sl);
	reader->current[lid] = (uint8_t)sl;
	return 0;
}

/* How many LIDs of @port the row @sls leaves out. */
static uint32_t count_own_gaps(const struct hd_port *port, const uint8_t *sls)
{
	uint32_t n = 0;

	for (unsigned offset = 0; offset < 1u << port->lmc; offset++)
		n += sls[port->lid + offset] == HD_NO_SL;
	return n;
}

static int find_gaps(const struct path_sl_reader *reader, struct hd_error *err)
{
	struct hd_tables *tables = reader->tables;
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *n_left_out = calloc(tables->n_sl_rows + (size_t)1, sizeof(*n_left_out));

	if (!n_left_out)
		return hd_error_nomem(err);
	for (uint32_t row = 0; row < tables->n_sl_rows; row++)
		hd_for_each_lid(lid, fabric)
			n_left_out[row] +=
				tables->sl_rows[row * tables->lft_stride + lid] == HD_NO_SL;
	hd_for_each_port(p, fabric) {
		uint32_t row = tables->sl_row_of_port[p];
		const uint8_t *sls = tables->sl_rows + row * tables->lft_stride;

		if (!hd_is_end_port(fabric, p))
			continue;
		if (!reader->seen[p])
			hd_gap_add(&tables->path_sl_gap, p);
		else if (n_left_out[row] > count_own_gaps(&fabric->ports[p], sls))
			hd_gap_add(&tables->no_sl_gap, p);
	}
	free(n_left_out);
	return 0;
}

static int begin(struct path_sl_reader *reader, struct hd_tables *tables, const char *name,
		 struct hd_error *err)
{
	size_t n_ports = tables->fabric->n_ports + (size_t)1;

	*reader = (struct path_sl_reader){
		.lines.file = name,
		.tables = tables,
		.seen = calloc(n_ports, 1),
		.row_of_port = calloc(n_ports, sizeof(uint32_t)),
		.current = calloc(1, tables->lft_stride),
		.rows.stride = tables->lft_stride,
	};
	if (!reader->seen || !reader->row_of_port || !reader->current)
		return hd_error_nomem(err);
	return hd_sl_rows_intern(&reader->rows, reader->current, &reader->last_row, err);
}

static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct path_sl_reader *reader = of;
	int ret = 0;

	hd_lines_go_on(&reader->lines, data, size);
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	return ret;
}

static int end(struct path_sl_reader *reader, int ret, struct hd_error *err)
{
	if (!ret)
		ret = close_source(reader, err);
	if (!ret)
		ret = hd_sl_rows_apply(&reader->rows, reader->row_of_port, reader->tables, err);
	if (!ret)
		ret = find_gaps(reader, err);
	free(reader->seen);
	free(reader->row_of_port);
	free(reader->current);
	hd_sl_rows_clear(&reader->rows);
	return ret;
}

static int parse_path_sl(struct hd_tables *tables, const char *name, const char *data, size_t size,
			 struct hd_error *err)
{
	struct path_sl_reader reader;
	int ret = begin(&reader, tables, name, err);

	return end(&reader, ret ? ret : feed(&reader, data, size, err), err);
}

static int read_path_sl(struct hd_tables *tables, const char *path, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint64_t most =
		(fabric->top_lid + (uint64_t)1) * (fabric->n_endports + (uint64_t)1) * MOST_BYTES;
	struct path_sl_reader reader;
	int ret = begin(&reader, tables, path, err);

	if (!ret)
		ret = hd_text_stream(path, most, &reader.lines, feed, &reader, err);
	return end(&reader, ret, err);
}

/* Writing. A source is a node or, when its ports differ, one of its ports. */
struct source {
	uint64_t guid;
	uint32_t row;
};

static bool same_row(const struct hd_tables *tables, uint32_t a, uint32_t b)
{
	return a == b || memcmp(tables->sl_rows + a * tables->lft_stride,
				tables->sl_rows + b * tables->lft_stride, tables->lft_stride) == 0;
}

/* The sources in order; their number in @n. @sources has room for n_endports. */
static void list_sources(const struct hd_tables *tables, struct source *sources, uint32_t *n)
{
	const struct hd_fabric *fabric = tables->fabric;

	*n = 0;
	hd_for_each_node(node, fabric) {
		uint32_t first = fabric->nodes[node].first_port;
		uint32_t last =
			hd_is_switch(fabric, node) ? first : first + fabric->nodes[node].n_ports;
		uint32_t begin = *n;
		bool alike = true;

		for (uint32_t p = first; p <= last; p++) {
			if (!fabric->ports[p].lid)
				continue;
			sources[*n].guid = fabric->ports[p].guid;
			sources[*n].row = tables->sl_row_of_port[p];
			alike = alike && same_row(tables, sources[begin].row, sources[*n].row);
			++*n;
		}
		if (alike && *n > begin) {
			sources[begin].guid = fabric->nodes[node].guid;
			*n = begin + 1;
		}
	}
}

/* How to write: the SLs of a service class, or those of paths (HD_NONE). */
struct way {
	uint32_t class;
	bool is_short;
};

static unsigned sl_of(const struct hd_tables *tables, const struct way *way, unsigned sl)
{
	return way->class == HD_NONE ? sl : hd_class_sl(tables->classes, way->class, sl);
}

static void put_block(struct hd_writer *writer, uint64_t guid, uint32_t first,
		      const char sls[BLOCK])
{
	hd_writer_room(writer, 128);
	writer->at = stpcpy(writer->at, "0x");
	writer->at = stpcpy(hd_put_hex(writer->at, guid, 16), " 0x");
	writer->at = stpcpy(hd_put_hex(writer->at, first, 4), ": ");
	memcpy(writer->at, sls, BLOCK);
	writer->at += BLOCK;
	*writer->at++ = '\n';
}

/* Whether @sls gives an SL to some LID. */
static bool has_sl(const struct hd_fabric *fabric, const uint8_t *sls)
{
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].port != HD_NONE && sls[lid] != HD_NO_SL)
			return true;
	return false;
}

static void write_no_sl(struct hd_writer *writer, uint64_t guid)
{
	char sls[BLOCK];

	memset(sls, '-', sizeof(sls));
	put_block(writer, guid, 0, sls);
}

static void write_block(struct hd_writer *writer, const struct hd_tables *tables,
			const struct way *way, const struct source *source, uint32_t first)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *row = tables->sl_rows + source->row * tables->lft_stride;
	char sls[BLOCK];
	bool is_empty = true;

	for (uint32_t i = 0; i < BLOCK; i++) {
		uint32_t lid = first + i;

		sls[i] = '-';
		if (lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE ||
		    row[lid] == HD_NO_SL)
			continue;
		sls[i] = "0123456789abcdef"[sl_of(tables, way, row[lid]) & 15];
		is_empty = false;
	}
	if (!is_empty)
		put_block(writer, source->guid, first, sls);
}

static void write_lines(struct hd_writer *writer, const struct hd_tables *tables,
			const struct way *way, const struct source *source)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *row = tables->sl_rows + source->row * tables->lft_stride;
	char prefix[19] = "0x";

	if (!has_sl(fabric, row)) {
		write_no_sl(writer, source->guid);
		return;
	}
	for (uint32_t lid = 0; way->is_short && lid <= fabric->top_lid; lid += BLOCK)
		write_block(writer, tables, way, source, lid);
	if (way->is_short)
		return;
	*hd_put_hex(prefix + 2, source->guid, 16) = ' ';
	hd_for_each_lid(lid, fabric) {
		if (fabric->lids[lid].port == HD_NONE || row[lid] == HD_NO_SL)
			continue;
		hd_writer_room(writer, 64);
		memcpy(writer->at, prefix, sizeof(prefix));
		writer->at = hd_put_decimal(writer->at + sizeof(prefix), lid);
		*writer->at++ = ' ';
		writer->at = hd_put_decimal(writer->at, sl_of(tables, way, row[lid]));
		*writer->at++ = '\n';
	}
}

static void write_like(struct hd_writer *writer, uint64_t guid)
{
	hd_writer_room(writer, 64);
	writer->at = stpcpy(writer->at, "= 0x");
	writer->at = hd_put_hex(writer->at, guid, 16);
	*writer->at++ = '\n';
}

/* Each row once, at its first source, then its other sources. */
static int write_shared(struct hd_writer *writer, const struct hd_tables *tables,
			const struct way *way, const struct source *sources, uint32_t n,
			struct hd_error *err)
{
	/* sources of a row, chained in order */
	uint32_t *first = malloc(tables->n_sl_rows * sizeof(*first));
	uint32_t *next = malloc((n + (size_t)1) * sizeof(*next));

	if (!first || !next) {
		free(first);
		free(next);
		return hd_error_nomem(err);
	}
	memset(first, 0xFF, tables->n_sl_rows * sizeof(*first));
	for (uint32_t i = n; i > 0; i--) {
		next[i - 1] = first[sources[i - 1].row];
		first[sources[i - 1].row] = i - 1;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (first[sources[i].row] != i)
			continue;
		write_lines(writer, tables, way, &sources[i]);
		for (uint32_t like = next[i]; like != HD_NONE; like = next[like])
			write_like(writer, sources[like].guid);
	}
	free(first);
	free(next);
	return 0;
}

static void write_port(struct hd_writer *writer, const struct hd_port *port)
{
	hd_writer_room(writer, 64);
	writer->at = stpcpy(writer->at, "# port 0x");
	writer->at = hd_put_hex(writer->at, port->guid, 16);
	writer->at = stpcpy(writer->at, " lid ");
	writer->at = hd_put_decimal(writer->at, port->lid);
	writer->at = stpcpy(writer->at, " lmc ");
	writer->at = hd_put_decimal(writer->at, port->lmc);
	*writer->at++ = '\n';
}

/* Which LIDs belong together, unless each port has one alone. */
static void write_ports(struct hd_writer *writer, const struct hd_fabric *fabric)
{
	bool several = false;

	for (uint32_t i = 0; i < fabric->n_endports; i++)
		several = several || fabric->ports[fabric->endports[i]].lmc;
	for (uint32_t i = 0; several && i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];

		if (port->lid && !hd_is_switch(fabric, port->node))
			write_port(writer, port);
	}
}

static int write_way(const struct hd_tables *tables, const struct way *way, FILE *stream,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct source *sources = malloc((fabric->n_endports + (size_t)1) * sizeof(*sources));
	struct hd_writer writer;
	uint64_t n_lids = 0;
	uint32_t n;
	int ret, end;

	if (!sources)
		return hd_error_nomem(err);
	ret = hd_writer_begin(&writer, stream, err);
	if (ret) {
		free(sources);
		return ret;
	}
	write_ports(&writer, fabric);
	list_sources(tables, sources, &n);
	hd_for_each_lid(lid, fabric)
		n_lids += fabric->lids[lid].port != HD_NONE;
	if (way->is_short || n * n_lids > FULL_LINES)
		ret = write_shared(&writer, tables, way, sources, n, err);
	else
		for (uint32_t i = 0; i < n; i++)
			write_lines(&writer, tables, way, &sources[i]);
	end = hd_writer_end(&writer, ret ? NULL : err);
	free(sources);
	return ret ? ret : end;
}

int hd_path_sl_write_class(const struct hd_tables *tables, unsigned class, FILE *stream,
			   struct hd_error *err)
{
	const struct way way = { .class = class };

	return write_way(tables, &way, stream, err);
}

int hd_path_sl_write_short_class(const struct hd_tables *tables, unsigned class, FILE *stream,
				 struct hd_error *err)
{
	const struct way way = { .class = class, .is_short = true };

	return write_way(tables, &way, stream, err);
}

static int write_path_sl(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	const struct way way = { .class = HD_NONE };

	return write_way(tables, &way, stream, err);
}

static int write_short_path_sl(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	const struct way way = { .class = HD_NONE, .is_short = true };

	return write_way(tables, &way, stream, err);
}

/* With many sources, rows are shared in a long dump too: their number counts. */
static bool is_path_sl_long(const struct hd_tables *tables)
{
	return (uint64_t)tables->n_sl_rows * tables->fabric->top_lid > HD_DUMP_MANY;
}

const struct hd_dump_format hd_dump_path_sl = {
	.name = "path-sl",
	.file = "path-sl.dump",
	.summary = "SLs that path records give, by source and destination LID, for ibdmchk -c",
	.parse = parse_path_sl,
	.read = read_path_sl,
	.write = write_path_sl,
	.is_long = is_path_sl_long,
	.write_short = write_short_path_sl,
};
