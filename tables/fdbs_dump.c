// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * LFTs as opensm.fdbs and ibdiagnet2.fdbs have them:
 *
 *	dump_ucast_routes: Switch 0x0000000000200000
 *	LID    : Port : Hops : Optimal
 *	0x0001 : 003  : 01   : yes
 *	0x0002 : UNREACHABLE
 *
 * ibdiagnet begins a table with "osm_ucast_mgr_dump_ucast_routes:", may write "PLFT_NUM: 0" before
 * its entries and comments that begin with '#', and leaves hops at 0. Only the LID and the port
 * count. A table has no line for its end: unless reading is strict, the last one of a file counts
 * as missing where the file ends amid a line, or the table before those of other switches end.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/reading.h"
#include "support/error.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

/* The longest line that tools write of an entry, and lines around a table's entries. */
#define MOST_BYTES 64
#define MOST_LINES 8

struct fdbs_reader {
	struct hd_lines lines;
	struct hd_oddities oddities;
	struct hd_tables *tables;
	bool *seen; /* [switch] its table was read */
	uint32_t n_seen;
	uint8_t *lft; /* of the table being read; NULL: none yet */
	uint32_t node;
	unsigned n_ports;
	uint32_t last_lid;
	uint32_t top; /* the highest LID at which an earlier table ends */
	bool passes;  /* entries of a private LFT beside the LFT */
	bool ends_amid_line;
	uint64_t n_nobodys; /* entries for LIDs that the fabric does not have */
	unsigned first_nobodys;
	unsigned n_private; /* private LFTs */
	unsigned first_private;
};

static int begin_table(struct fdbs_reader *reader, const char *at, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	const struct hd_lines *lines = &reader->lines;
	uint64_t guid;
	uint32_t s;
	int ret;

	if (!hd_scan_hex(&at, lines->end, UINT64_MAX, &guid))
		return hd_lines_error(lines, err, "expected 'dump_ucast_routes: Switch 0xGUID'");
	ret = hd_dump_take_switch(lines, fabric, guid, reader->seen, &s, err);
	if (ret)
		return ret;
	if (reader->last_lid > reader->top)
		reader->top = reader->last_lid;
	reader->n_seen++;
	reader->node = s;
	reader->lft = hd_lft(reader->tables, s);
	reader->n_ports = fabric->nodes[s].n_ports;
	reader->last_lid = 0;
	reader->passes = false;
	return 0;
}

/* "0x0001 : 003  :" as it is mostly written. */
static bool scan_usual(const struct hd_lines *lines, uint32_t *lid, unsigned *port)
{
	const unsigned char *line = (const unsigned char *)lines->begin;
	unsigned valid = HD_IS_DIGIT;

	if (lines->end - lines->begin < 12 || memcmp(line + 6, " : ", 3) != 0)
		return false;
	*lid = 0;
	for (int i = 2; i < 6; i++) {
		valid &= hd_digit_value[line[i]];
		*lid = *lid << 4 | (hd_digit_value[line[i]] & 15);
	}
	*port = 0;
	for (int i = 9; i < 12; i++) {
		valid &= line[i] <= '9' ? hd_digit_value[line[i]] : 0;
		*port = *port * 10 + (hd_digit_value[line[i]] & 15);
	}
	return valid && (lines->end - lines->begin == 12 || line[12] == ' ' || line[12] == ':');
}

/* "0x1 : UNREACHABLE", and numbers of any length. */
static bool scan_entry(const struct hd_lines *lines, uint32_t *lid, unsigned *port)
{
	const char *at = lines->begin;
	uint64_t number, out = HD_NO_PATH;

	if (!hd_scan_hex(&at, lines->end, UINT16_MAX, &number))
		return false;
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_word(&at, lines->end, ":"))
		return false;
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_word(&at, lines->end, "UNREACHABLE") &&
	    !hd_scan_number(&at, lines->end, 10, HD_NO_PATH, &out))
		return false;
	*lid = (uint32_t)number;
	*port = (unsigned)out;
	return at == lines->end || *at == ' ' || *at == ':';
}

static int read_entry(struct fdbs_reader *reader, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->tables->fabric;
	const struct hd_lines *lines = &reader->lines;
	uint32_t lid;
	unsigned port;

	if (!scan_usual(lines, &lid, &port) && !scan_entry(lines, &lid, &port))
		return hd_lines_error(lines, err,
				      "expected '0xLID : PORT : ...' or '0xLID : UNREACHABLE'");
	if (!reader->lft)
		return hd_lines_error(lines, err, "an LFT entry outside of a switch's table");
	if (lid <= reader->last_lid)
		return hd_lines_error(lines, err, "LID 0x%04x does not follow LID 0x%04x", lid,
				      reader->last_lid);
	reader->last_lid = lid;
	if (reader->passes || port == HD_NO_PATH)
		return 0;
	if (port > reader->n_ports)
		return hd_lines_error(lines, err, "port %u of a switch with %u ports", port,
				      reader->n_ports);
	/* switches keep entries for hosts that are gone */
	if ((lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE) && !reader->n_nobodys++)
		reader->first_nobodys = lines->number;
	if (lid <= fabric->top_lid)
		reader->lft[lid] = (uint8_t)port;
	return 0;
}

/* "PLFT_NUM: 1": LFT 0 is what switches forward by; the proof knows no others. */
static int begin_private(struct fdbs_reader *reader, const char *at, struct hd_error *err)
{
	uint64_t which;

	hd_scan_blanks(&at, reader->lines.end);
	if (!hd_scan_number(&at, reader->lines.end, 10, UINT8_MAX, &which))
		return hd_lines_error(&reader->lines, err, "expected 'PLFT_NUM: N'");
	reader->passes = which > 0;
	if (which > 0 && !reader->n_private++)
		reader->first_private = reader->lines.number;
	if (reader->last_lid > reader->top)
		reader->top = reader->last_lid;
	reader->last_lid = 0;
	return 0;
}

static int read_line(struct fdbs_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	/* nearly all lines: compared here, as calls take longer than all the rest */
	if (lines->end - at > 2 && at[0] == '0' && at[1] == 'x')
		return read_entry(reader, err);
	if (at == lines->end || *at == '#')
		return 0;
	if (hd_scan_word(&at, lines->end, "dump_ucast_routes: Switch ") ||
	    hd_scan_word(&at, lines->end, "osm_ucast_mgr_dump_ucast_routes: Switch "))
		return begin_table(reader, at, err);
	if (hd_scan_word(&at, lines->end, "PLFT_NUM:"))
		return begin_private(reader, at, err);
	if (hd_scan_word(&at, lines->end, "LID ") || hd_lines_is_blank(lines))
		return 0;
	return hd_lines_error(lines, err, "neither the heading of a switch's table nor an entry");
}

static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct fdbs_reader *reader = of;
	int ret = 0;

	hd_lines_go_on(&reader->lines, data, size);
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	/* half a line at the end of a file that is cut short */
	if (ret == HD_EPARSE && size && data[size - 1] != '\n' &&
	    reader->lines.end == data + size && !hd_oddities_refused(&reader->oddities))
		ret = 0;
	if (!ret && size && data[size - 1] != '\n')
		reader->ends_amid_line = true;
	return ret;
}

/* The last table, where the end of the file cuts it short, is one that is not known. */
static int drop_cut(struct fdbs_reader *reader, struct hd_error *err)
{
	char label[HD_LABEL_SIZE];
	int ret;

	if (!reader->lft || reader->passes ||
	    (!reader->ends_amid_line && reader->last_lid >= reader->top))
		return 0;
	ret = hd_odd(&reader->oddities, reader->lines.number, "taken to have none", err,
		     "the table of %s is cut short at LID 0x%04x: the file ends",
		     hd_node_label(reader->tables->fabric, reader->node, label, sizeof(label)),
		     reader->last_lid);
	if (ret)
		return ret;
	memset(reader->lft, HD_NO_PATH, reader->tables->lft_stride);
	reader->seen[reader->node] = false;
	reader->n_seen--;
	return 0;
}

static int tell(struct fdbs_reader *reader, struct hd_error *err)
{
	int ret = 0;

	if (!reader->lft)
		return hd_lines_error(&reader->lines, err, "no switch's table");
	if (reader->n_nobodys)
		ret = hd_odd(&reader->oddities, reader->first_nobodys, "passed over", err,
			     "%" PRIu64 " entr%s for LIDs that no port of the fabric has",
			     reader->n_nobodys, reader->n_nobodys == 1 ? "y" : "ies");
	if (!ret && reader->n_private)
		ret = hd_odd(&reader->oddities, reader->first_private, "passed over", err,
			     "%u private LFTs (PLFT_NUM above 0)", reader->n_private);
	return ret;
}

static int begin(struct fdbs_reader *reader, struct hd_tables *tables, const char *name,
		 const struct hd_reading *how, struct hd_error *err)
{
	*reader = (struct fdbs_reader){ .lines.file = name,
					.oddities = { .how = how, .file = name },
					.tables = tables };
	reader->seen = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader->seen));
	return reader->seen ? 0 : hd_error_nomem(err);
}

static int end(struct fdbs_reader *reader, int ret, struct hd_error *err)
{
	if (!ret)
		ret = drop_cut(reader, err);
	if (!ret)
		ret = tell(reader, err);
	if (!ret)
		ret = hd_lfts_note_unknown(reader->tables, reader->seen, err);
	hd_oddities_end(&reader->oddities);
	free(reader->seen);
	return ret;
}

int hd_fdbs_parse(struct hd_tables *tables, const char *name, const char *data, size_t size,
		  const struct hd_reading *how, struct hd_error *err)
{
	struct fdbs_reader reader;
	int ret = begin(&reader, tables, name, how, err);

	return ret ? ret : end(&reader, feed(&reader, data, size, err), err);
}

int hd_fdbs_read(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		 struct hd_error *err)
{
	const uint64_t most = ((uint64_t)HD_MAX_LID + MOST_LINES) *
			      (tables->fabric->n_switches + (uint64_t)1) * MOST_BYTES;
	struct fdbs_reader reader;
	int ret = begin(&reader, tables, path, how, err);

	if (ret)
		return ret;
	return end(&reader, hd_text_stream(path, most, &reader.lines, feed, &reader, err), err);
}
