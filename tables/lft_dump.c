// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opensm-lfts.dump, and what dump_lfts, dump_fts and ibroute print. OpenSM writes
 *
 *	Unicast lids [0-9] of switch Lid 2 guid 0x0000000000200000 ('spine 1'):
 *	0x0001 001 # Channel Adapter portguid 0x0000000000100001: 'h-1'
 *	9 lids dumped
 *
 * and infiniband-diags
 *
 *	Unicast lids [0x0-0x9] of switch Lid 2 guid 0x0000000000200000 (spine 1):
 *	  Lid  Out   Destination
 *	       Port     Info
 *	0x0001 001 : (Channel Adapter portguid 0x0000000000100001: 'h-1')
 *	9 valid lids dumped
 *
 * LIDs without a path have no line; OpenSM counts them all the same. The switch's GUID, LIDs and
 * ports are looked at, and in the first table whose LIDs they are: a dump of another fabric, or of
 * another time, is told as such. A switch without a table stays unknown; so does, unless reading is
 * strict, one whose table is cut short. Some releases leave out the line at the end: unless reading
 * is strict, a table without it is whole where no LID of the heading's range that the fabric has is
 * behind its last entry.
 *
 * A short dump, which we alone write and read, has a line for the owner of each LID, and tables
 * with a line for each LFT block that is not empty: two hexadecimal digits for each entry, ff: no
 * path.
 *
 *	0x0001 # Channel Adapter portguid 0x0000000000100001: 'h-1'
 *	Unicast lids [0-9] of switch Lid 2 guid 0x0000000000200000 ('spine 1'):
 *	0x0000: ff0100ff...
 *	9 lids dumped
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/reading.h"
#include "support/error.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

/* The longest line that tools write of an entry, and lines around a table's entries. */
#define MOST_BYTES 192
#define MOST_LINES 8

/* What is known while a dump is read. */
struct lft_reader {
	struct hd_lines lines;
	struct hd_oddities oddities;
	struct hd_tables *tables;
	bool *seen; /* [switch] its table was read */
	unsigned n_tables;
	uint8_t *lft;  /* of the table being read; NULL between tables */
	uint32_t node; /* whose table that is */
	unsigned n_ports;
	uint32_t range_end; /* the last LID of the heading's range; 0: it tells none */
	uint32_t last_lid;
	uint64_t n_entries;
	bool ends_amid_line; /* the file is cut short there */
	uint32_t n_endless;  /* tables that are whole but for the line at their end */
	unsigned first_endless;
};

/* Where @words stand in the current line; NULL: nowhere. */
static const char *find(const struct hd_lines *lines, const char *words)
{
	for (const char *at = lines->begin; at < lines->end; at++) {
		const char *cursor = at;

		if (hd_scan_word(&cursor, lines->end, words))
			return at;
	}
	return NULL;
}

/* The first LID of the heading's range that has no entry and should have one; 0: none. */
static uint32_t first_missing(const struct lft_reader *reader)
{
	const struct hd_fabric *fabric = reader->tables->fabric;

	for (uint32_t lid = reader->last_lid + 1;
	     lid <= reader->range_end && lid <= fabric->top_lid; lid++)
		if (fabric->lids[lid].port != HD_NONE)
			return lid;
	return 0;
}

/* The line at the end of the table that is being read is not there, but the table is. */
static void keep_endless(struct lft_reader *reader)
{
	if (!reader->n_endless++)
		reader->first_endless = reader->lines.number;
	reader->lft = NULL;
}

/* The end of the table that is being read is not there: the switch is one without a table. */
static int drop_table(struct lft_reader *reader, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	const uint32_t missing = first_missing(reader);
	char label[HD_LABEL_SIZE], what[64] = "";
	int ret;

	if (reader->last_lid && reader->range_end && !missing && !reader->ends_amid_line &&
	    !hd_oddities_refused(&reader->oddities)) {
		keep_endless(reader);
		return 0;
	}
	if (missing)
		snprintf(what, sizeof(what), ", and so is LID 0x%04x", missing);
	else if (reader->ends_amid_line)
		snprintf(what, sizeof(what), ", and the file ends amid a line");
	ret = hd_odd(&reader->oddities, reader->lines.number, "taken to have none", err,
		     "the table of %s is cut short: 'N lids dumped' is missing%s",
		     hd_node_label(fabric, reader->node, label, sizeof(label)), what);
	if (ret)
		return ret;
	memset(reader->lft, HD_NO_PATH, reader->tables->lft_stride);
	reader->seen[reader->node] = false;
	reader->lft = NULL;
	return 0;
}

/* The last LID of "Unicast lids [0x0-0x9] ..." or "[0-9]"; 0: it is not told so. */
static uint32_t range_end(const struct hd_lines *lines)
{
	const char *at = find(lines, "[");
	uint64_t first, last;

	if (!at++)
		return 0;
	if (!hd_scan_number(&at, lines->end, hd_scan_word(&at, lines->end, "0x") ? 16 : 10,
			    UINT16_MAX, &first) ||
	    !hd_scan_word(&at, lines->end, "-") ||
	    !hd_scan_number(&at, lines->end, hd_scan_word(&at, lines->end, "0x") ? 16 : 10,
			    UINT16_MAX, &last) ||
	    !hd_scan_word(&at, lines->end, "]"))
		return 0;
	return (uint32_t)last;
}

static int begin_table(struct lft_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_fabric *fabric = reader->tables->fabric;
	static const char mark[] = " guid 0x";
	const char *at = find(lines, mark);
	uint64_t guid;
	uint32_t s;
	int ret = reader->lft ? drop_table(reader, err) : 0;

	if (ret)
		return ret;
	if (at)
		at += sizeof(mark) - 1;
	if (!at || !hd_scan_number(&at, lines->end, 16, UINT64_MAX, &guid) ||
	    !hd_scan_word(&at, lines->end, " (") || lines->end - at < 2 ||
	    memcmp(lines->end - 2, "):", 2) != 0)
		return hd_lines_error(lines, err,
				      "expected 'Unicast lids [0-N] of switch Lid N guid 0xGUID "
				      "(NAME):'");
	ret = hd_dump_take_switch(lines, fabric, guid, reader->seen, &s, err);
	if (ret)
		return ret;
	reader->n_tables++;
	reader->node = s;
	reader->lft = hd_lft(reader->tables, s);
	reader->n_ports = fabric->nodes[s].n_ports;
	reader->range_end = range_end(lines);
	reader->last_lid = 0;
	reader->n_entries = 0;
	return 0;
}

static int end_table(struct lft_reader *reader, const char *at, uint64_t n, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	bool is_valid = hd_scan_word(&at, lines->end, "valid ");

	if (!hd_scan_word(&at, lines->end, "lids dumped"))
		return hd_lines_error(lines, err, "expected 'N lids dumped'");
	/* OpenSM counts LIDs without a path as well */
	if (n < reader->n_entries || (is_valid && n != reader->n_entries))
		return hd_lines_error(lines, err, "%" PRIu64 " lids dumped, but %" PRIu64 " read",
				      n, reader->n_entries);
	reader->lft = NULL;
	return 0;
}

/*
 * "0x0001 001 #" or "0x0001 001 :", as all writers print it; OpenSM's LIDs never need more than
 * four digits.
 */
static bool scan_entry(const struct hd_lines *lines, uint32_t *lid, unsigned *port)
{
	const unsigned char *line = (const unsigned char *)lines->begin;
	unsigned valid = HD_IS_DIGIT;

	if (lines->end - lines->begin < 12 || line[0] != '0' || line[1] != 'x' || line[6] != ' ' ||
	    line[10] != ' ' || (line[11] != '#' && line[11] != ':'))
		return false;
	*lid = 0;
	for (int i = 2; i < 6; i++) {
		valid &= hd_digit_value[line[i]];
		*lid = *lid << 4 | (hd_digit_value[line[i]] & 15);
	}
	*port = 0;
	for (int i = 7; i < 10; i++) {
		valid &= line[i] <= '9' ? hd_digit_value[line[i]] : 0;
		*port = *port * 10 + (hd_digit_value[line[i]] & 15);
	}
	return valid;
}

/* "0x0040: ", and two digits for the out-port of each LID of an LFT block. */
#define BLOCK       64
#define BLOCK_TEXT  8
#define BLOCK_BYTES (BLOCK_TEXT + 2 * BLOCK)

static bool scan_block(const struct hd_lines *lines, uint32_t *lid, uint8_t *ports)
{
	const unsigned char *line = (const unsigned char *)lines->begin;
	unsigned valid = HD_IS_DIGIT;

	if (lines->end - lines->begin != BLOCK_BYTES || line[6] != ':' || line[7] != ' ')
		return false;
	*lid = 0;
	for (int i = 2; i < 6; i++) {
		valid &= hd_digit_value[line[i]];
		*lid = *lid << 4 | (hd_digit_value[line[i]] & 15);
	}
	return valid && hd_scan_hex_bytes(line + BLOCK_TEXT, ports, BLOCK) && *lid % BLOCK == 0;
}

/*
 * Whether the port that the fabric has at a LID cannot have @guid. An adapter's port has a guess
 * for its GUID where the netfile gives none.
 */
static bool is_another(const struct hd_fabric *fabric, const struct hd_port *port, uint64_t guid)
{
	bool is_guess = !hd_is_switch(fabric, port->node) &&
			port->guid == fabric->nodes[port->node].guid + port->number;

	return port->guid && port->guid != guid &&
	       (!is_guess || hd_fabric_find_port(fabric, guid) != HD_NONE);
}

/* The LID of the current line is that of the port that the fabric has there. */
static int compare_owner(const struct lft_reader *reader, uint32_t lid, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const struct hd_fabric *fabric = reader->tables->fabric;
	static const char mark[] = " portguid 0x";
	uint32_t owner = lid <= fabric->top_lid ? fabric->lids[lid].port : HD_NONE;
	const char *at = find(lines, mark);
	char label[HD_LABEL_SIZE];
	uint64_t guid;

	if (!at || owner == HD_NONE)
		return 0;
	at += sizeof(mark) - 1;
	if (!hd_scan_number(&at, lines->end, 16, UINT64_MAX, &guid) ||
	    !is_another(fabric, &fabric->ports[owner], guid))
		return 0;
	return hd_lines_error(
		lines, err,
		"LID 0x%04x is port 0x%016" PRIx64 ", and in the fabric it is 0x%016" PRIx64
		" of %s: the dump is of another fabric, or of another time",
		lid, guid, fabric->ports[owner].guid,
		hd_node_label(fabric, fabric->ports[owner].node, label, sizeof(label)));
}

static int read_entry(struct lft_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	uint32_t top_lid = reader->tables->fabric->top_lid;
	uint32_t lid;
	unsigned port;

	if (!scan_entry(lines, &lid, &port))
		return hd_lines_error(lines, err, "expected '0xLLLL PPP # ...', an LFT entry");
	if (!reader->lft)
		return hd_lines_error(lines, err, "an LFT entry outside of a switch's table");
	if (lid <= reader->last_lid)
		return hd_lines_error(lines, err, "LID 0x%04x does not follow LID 0x%04x", lid,
				      reader->last_lid);
	reader->last_lid = lid;
	reader->n_entries++;
	/* "dump_fts -a" also lists LIDs without a path */
	if (port == HD_NO_PATH)
		return 0;
	if (reader->n_tables == 1) {
		int ret = compare_owner(reader, lid, err);

		if (ret)
			return ret;
	}
	if (port > reader->n_ports)
		return hd_lines_error(lines, err, "port %u of a switch with %u ports", port,
				      reader->n_ports);
	if (!top_lid)
		return hd_lines_error(
			lines, err,
			"LID 0x%04x, but the fabric has no LIDs: its netfile must be of the "
			"same sweep, or get LIDs by 'heddle topo FILE --assign-lids -o NEW'",
			lid);
	if (lid > top_lid)
		return hd_lines_error(lines, err, "LID 0x%04x, but the fabric ends at 0x%04x", lid,
				      top_lid);
	reader->lft[lid] = (uint8_t)port;
	return 0;
}

typedef uint8_t entries __attribute__((vector_size(16)));

/* The number of entries of a block that have a port, and the highest port. */
static unsigned count_entries(const uint8_t *ports, unsigned *most)
{
	entries highest = { 0 }, counts = { 0 };
	unsigned n = 0;

	for (unsigned i = 0; i < BLOCK; i += sizeof(entries)) {
		entries some, has, is_higher;

		memcpy(&some, ports + i, sizeof(some));
		has = (entries)(some != HD_NO_PATH);
		some &= has;
		is_higher = (entries)(some > highest);
		highest = (some & is_higher) | (highest & ~is_higher);
		counts -= has; /* true is -1 */
	}
	*most = 0;
	for (unsigned i = 0; i < sizeof(entries); i++) {
		n += counts[i];
		*most = highest[i] > *most ? highest[i] : *most;
	}
	return n;
}

/* The entries of a whole LFT block, of which those for @lid and on are @ports. */
static int take_block(struct lft_reader *reader, uint32_t lid, const uint8_t *ports,
		      struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const uint32_t top_lid = reader->tables->fabric->top_lid;
	uint32_t last = 0;
	unsigned most;

	if (lid + BLOCK - 1 <= reader->last_lid || (lid == 0 && ports[0] != HD_NO_PATH))
		return hd_lines_error(lines, err, "block 0x%04x does not follow LID 0x%04x", lid,
				      reader->last_lid);
	reader->n_entries += count_entries(ports, &most);
	for (uint32_t i = 0; lid + BLOCK - 1 > top_lid && i < BLOCK; i++)
		if (ports[i] != HD_NO_PATH)
			last = lid + i;
	if (most > reader->n_ports)
		return hd_lines_error(lines, err, "port %u of a switch with %u ports", most,
				      reader->n_ports);
	if (last > top_lid)
		return hd_lines_error(lines, err, "LID 0x%04x, but the fabric ends at 0x%04x", last,
				      top_lid);
	reader->last_lid = lid + BLOCK - 1;
	if (lid <= top_lid)
		memcpy(reader->lft + lid, ports, BLOCK);
	return 0;
}

/*
 * What a short dump has beside headings and ends: "0x0001 # Channel Adapter ..." before all tables,
 * and LFT blocks. @is_short: it was that.
 */
static int read_short(struct lft_reader *reader, bool *is_short, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin + 2;
	uint8_t ports[BLOCK];
	uint64_t owned;
	uint32_t lid;

	*is_short = true;
	if (scan_block(lines, &lid, ports))
		return reader->lft ? take_block(reader, lid, ports, err)
				   : hd_lines_error(lines, err,
						    "an LFT block outside of a switch's table");
	if (hd_scan_number(&at, lines->end, 16, UINT16_MAX, &owned) &&
	    hd_scan_word(&at, lines->end, " # "))
		return !reader->n_tables
			       ? compare_owner(reader, (uint32_t)owned, err)
			       : hd_lines_error(lines, err,
						"owners of LIDs once more, behind tables");
	*is_short = false;
	return 0;
}

static int read_line(struct lft_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	bool is_short;
	uint64_t n;

	if (hd_scan_word(&at, lines->end, "0x")) {
		int ret = read_short(reader, &is_short, err);

		return is_short ? ret : read_entry(reader, err);
	}
	if (hd_scan_word(&at, lines->end, "Unicast lids ["))
		return begin_table(reader, err);
	if (reader->lft && hd_scan_number(&at, lines->end, 10, UINT32_MAX, &n) &&
	    hd_scan_word(&at, lines->end, " "))
		return end_table(reader, at, n, err);
	at = lines->begin;
	hd_scan_blanks(&at, lines->end);
	/* column titles; remarks of the script dump_lfts */
	if (at == lines->end || hd_scan_word(&at, lines->end, "Lid  Out") ||
	    hd_scan_word(&at, lines->end, "Port     Info") ||
	    hd_scan_word(&at, lines->end, "*** WARNING ***"))
		return 0;
	return hd_lines_error(lines, err, "neither an LFT's heading nor an entry nor its end");
}

static int begin(struct lft_reader *reader, struct hd_tables *tables, const char *name,
		 const struct hd_reading *how, struct hd_error *err)
{
	*reader = (struct lft_reader){ .lines.file = name,
				       .oddities = { .how = how, .file = name },
				       .tables = tables };
	reader->seen = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader->seen));
	return reader->seen ? 0 : hd_error_nomem(err);
}

/* Lines that the tables of a fabric can have, and as many as any packed file may hold. */
static uint64_t most_lines(const struct hd_fabric *fabric)
{
	return ((uint64_t)fabric->top_lid + MOST_LINES) * (fabric->n_switches + (uint64_t)1) +
	       (UINT64_C(1) << 28);
}

/* Reads lines; the last one may lack its end where the file ends. */
static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct lft_reader *reader = of;
	int ret = 0;

	hd_lines_go_on(&reader->lines, data, size);
	/* an endless file of empty lines would take minutes up to the bound of its bytes */
	if (reader->lines.number > most_lines(reader->tables->fabric))
		return hd_lines_error(&reader->lines, err,
				      "more lines than the tables of the fabric can have");
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	/* half a line at the end of a file that is cut short */
	if (ret == HD_EPARSE && size && reader->lines.end == data + size &&
	    !hd_oddities_refused(&reader->oddities)) {
		reader->ends_amid_line = true;
		return 0;
	}
	if (!ret && size && data[size - 1] != '\n')
		reader->ends_amid_line = reader->lft != NULL;
	return ret;
}

int hd_lfts_note_unknown(struct hd_tables *tables, const bool *seen, struct hd_error *err)
{
	const uint32_t n = tables->fabric->n_switches;
	uint32_t n_unknown = 0;

	for (uint32_t s = 0; s < n; s++)
		n_unknown += !seen[s];
	if (!n_unknown)
		return 0;
	free(tables->lft_unknown);
	tables->lft_unknown = calloc(n + (size_t)1, sizeof(*tables->lft_unknown));
	if (!tables->lft_unknown)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		tables->lft_unknown[s] = !seen[s];
	tables->n_lft_unknown = n_unknown;
	return 0;
}

/* What was passed over is told. */
static int tell(struct lft_reader *reader, struct hd_error *err)
{
	const bool was_amid = reader->lft != NULL;
	int ret = was_amid ? drop_table(reader, err) : 0;

	if (!ret && !was_amid && reader->ends_amid_line)
		ret = hd_odd(&reader->oddities, reader->lines.number, "left out", err,
			     "the file ends amid a line");
	if (!ret && reader->n_endless)
		ret = hd_odd(&reader->oddities, reader->first_endless,
			     "taken, as nothing of the ranges in their headings is missing", err,
			     "%" PRIu32 " table%s without a line 'N lids dumped'",
			     reader->n_endless, reader->n_endless == 1 ? "" : "s");
	return ret;
}

static int end(struct lft_reader *reader, int ret, struct hd_error *err)
{
	if (!ret)
		ret = tell(reader, err);
	if (!ret)
		ret = hd_lfts_note_unknown(reader->tables, reader->seen, err);
	hd_oddities_end(&reader->oddities);
	free(reader->seen);
	return ret;
}

static int parse_lfts(struct hd_tables *tables, const char *name, const char *data, size_t size,
		      struct hd_error *err)
{
	struct lft_reader reader;
	int ret = begin(&reader, tables, name, NULL, err);

	if (ret)
		return ret;
	return end(&reader, feed(&reader, data, size, err), err);
}

int hd_lfts_read(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		 struct hd_error *err)
{
	/* tables pack well, and are not kept: what the fabric can have is enough of a bound */
	const uint64_t most = ((uint64_t)tables->fabric->top_lid + MOST_LINES) *
			      (tables->fabric->n_switches + (uint64_t)1) * MOST_BYTES;
	struct lft_reader reader;
	int ret = begin(&reader, tables, path, how, err);

	if (ret)
		return ret;
	return end(&reader, hd_text_stream(path, most, &reader.lines, feed, &reader, err), err);
}

static int read_lfts(struct hd_tables *tables, const char *path, struct hd_error *err)
{
	return hd_lfts_read(tables, path, NULL, err);
}

/* The part of a line that depends on the LID alone, after the port. */
struct lft_comments {
	char *text;
	size_t *first; /* [top_lid + 2] */
};

static int make_comments(const struct hd_fabric *fabric, struct lft_comments *comments,
			 struct hd_error *err)
{
	static const char unknown[] = "# unknown node and type\n";
	size_t size = 0;
	char *at;

	comments->first = malloc((fabric->top_lid + (size_t)2) * sizeof(*comments->first));
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++) {
		uint32_t owner = fabric->lids[lid].port;

		size += owner == HD_NONE
				? sizeof(unknown)
				: strlen(hd_node_name(fabric, fabric->ports[owner].node)) + 64;
	}
	comments->text = malloc(size + 1);
	if (!comments->first || !comments->text)
		return hd_error_nomem(err);
	at = comments->text;
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++) {
		uint32_t owner = fabric->lids[lid].port;

		comments->first[lid] = (size_t)(at - comments->text);
		if (owner == HD_NONE) {
			at = stpcpy(at, unknown);
			continue;
		}
		*at++ = '#';
		*at++ = ' ';
		at = stpcpy(at, hd_dump_type_name(fabric->nodes[fabric->ports[owner].node].type));
		at = stpcpy(at, " portguid 0x");
		at = hd_put_hex(at, fabric->ports[owner].guid, 16);
		at = stpcpy(at, ": '");
		at = hd_put_name(at, hd_node_name(fabric, fabric->ports[owner].node));
		at = stpcpy(at, "'\n");
	}
	comments->first[fabric->top_lid + 1] = (size_t)(at - comments->text);
	return 0;
}

static void write_entry(struct hd_writer *writer, uint32_t lid, unsigned port, const char *comment,
			size_t length)
{
	char *at;

	hd_writer_room(writer, 16);
	at = writer->at;
	at[0] = '0';
	at[1] = 'x';
	at = hd_put_hex(at + 2, lid, 4);
	at[0] = ' ';
	at[1] = (char)('0' + port / 100);
	at[2] = (char)('0' + port / 10 % 10);
	at[3] = (char)('0' + port % 10);
	at[4] = ' ';
	writer->at = at + 5;
	hd_writer_bytes(writer, comment, length);
}

static void write_heading(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_writer_string(writer, "Unicast lids [0-");
	hd_writer_room(writer, 128);
	writer->at = hd_put_decimal(writer->at, fabric->top_lid);
	writer->at = stpcpy(writer->at, "] of switch Lid ");
	writer->at = hd_put_decimal(writer->at, fabric->ports[fabric->nodes[s].first_port].lid);
	writer->at = stpcpy(writer->at, " guid 0x");
	writer->at = hd_put_hex(writer->at, fabric->nodes[s].guid, 16);
	hd_writer_string(writer, " ('");
	hd_writer_name(writer, hd_node_name(fabric, s));
	hd_writer_string(writer, "'):\n");
}

static void write_end(struct hd_writer *writer, const struct hd_tables *tables)
{
	hd_writer_room(writer, 64);
	writer->at = hd_put_decimal(writer->at, tables->fabric->top_lid);
	hd_writer_string(writer, " lids dumped\n");
}

static void write_table(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
			const struct lft_comments *comments)
{
	const uint8_t *lft = hd_lft(tables, s);

	write_heading(writer, tables, s);
	hd_for_each_lid(lid, tables->fabric) {
		if (lft[lid] == HD_NO_PATH)
			continue;
		write_entry(writer, lid, lft[lid], comments->text + comments->first[lid],
			    comments->first[lid + 1] - comments->first[lid]);
	}
	write_end(writer, tables);
}

static void write_block(struct hd_writer *writer, uint32_t lid, const uint8_t *ports)
{
	char *at;

	hd_writer_room(writer, BLOCK_BYTES + 1);
	at = writer->at;
	at[0] = '0';
	at[1] = 'x';
	at = hd_put_hex(at + 2, lid, 4);
	*at++ = ':';
	*at++ = ' ';
	at = hd_put_hex_bytes(at, ports, BLOCK);
	*at++ = '\n';
	writer->at = at;
}

static void write_short_table(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
			      const struct lft_comments *comments)
{
	static const uint8_t nothing[BLOCK] = { [0 ... BLOCK - 1] = HD_NO_PATH };
	const uint8_t *lft = hd_lft(tables, s);

	(void)comments;
	write_heading(writer, tables, s);
	for (uint32_t lid = 0; lid <= tables->fabric->top_lid; lid += BLOCK)
		if (memcmp(lft + lid, nothing, BLOCK) != 0)
			write_block(writer, lid, lft + lid);
	write_end(writer, tables);
}

/* Who owns LIDs: in a long dump each entry tells. */
static void write_owners(struct hd_writer *writer, const struct hd_fabric *fabric,
			 const struct lft_comments *comments)
{
	hd_for_each_lid(lid, fabric) {
		const size_t first = comments->first[lid];

		if (fabric->lids[lid].port == HD_NONE)
			continue;
		hd_writer_room(writer, 16);
		writer->at[0] = '0';
		writer->at[1] = 'x';
		writer->at = hd_put_hex(writer->at + 2, lid, 4);
		*writer->at++ = ' ';
		hd_writer_bytes(writer, comments->text + first, comments->first[lid + 1] - first);
	}
}

static int write_tables(const struct hd_tables *tables, bool is_short, FILE *stream,
			struct hd_error *err)
{
	void (*write)(struct hd_writer * writer, const struct hd_tables *tables, uint32_t s,
		      const struct lft_comments *comments) =
		is_short ? write_short_table : write_table;
	uint32_t *order = hd_dump_switches(tables->fabric);
	struct lft_comments comments = { 0 };
	struct hd_writer writer;
	int ret = order ? make_comments(tables->fabric, &comments, err) : hd_error_nomem(err);

	if (!ret)
		ret = hd_writer_begin(&writer, stream, err);
	if (!ret) {
		if (is_short)
			write_owners(&writer, tables->fabric, &comments);
		for (uint32_t i = 0; i < tables->fabric->n_switches; i++)
			if (hd_lft_is_known(tables, order[i]))
				write(&writer, tables, order[i], &comments);
		ret = hd_writer_end(&writer, err);
	}
	free(comments.text);
	free(comments.first);
	free(order);
	return ret;
}

static int write_lfts(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	return write_tables(tables, false, stream, err);
}

static int write_short_lfts(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	return write_tables(tables, true, stream, err);
}

static bool are_lfts_long(const struct hd_tables *tables)
{
	return (uint64_t)tables->fabric->n_switches * tables->fabric->top_lid > HD_DUMP_MANY;
}

const struct hd_dump_format hd_dump_lfts = {
	.name = "lfts",
	.file = "opensm-lfts.dump",
	.summary = "linear forwarding tables, as OpenSM dumps them and loads them with -R file -U",
	.parse = parse_lfts,
	.read = read_lfts,
	.write = write_lfts,
	.is_long = are_lfts_long,
	.write_short = write_short_lfts,
};
