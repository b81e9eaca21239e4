// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opensm.mcfdbs: multicast forwarding tables. OpenSM writes, for every switch that has entries,
 * in its order of GUIDs,
 *
 *	(empty line)
 *	Switch 0x0000000000200000
 *	LID    : Out Port(s)
 *	0xC000 : 0x001  0x002
 *
 * with two blanks between ports and one after the last.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"

#define FIRST_MLID 0xC000u
#define LAST_MLID  0xFFFEu /* 0xFFFF is the permissive LID */

struct mcfdbs_reader {
	struct hd_lines lines;
	struct hd_tables *tables;
	bool *seen;            /* [switch] its table was read */
	uint32_t switch_index; /* HD_NONE: none yet */
	uint32_t last_mlid;
	bool has_title;
	struct hd_mft_entry *entries;
	size_t n, capacity;
};

static int begin_switch(struct mcfdbs_reader *reader, const char *at, struct hd_error *err)
{
	uint64_t guid;
	int ret;

	if (!hd_scan_hex(&at, reader->lines.end, UINT64_MAX, &guid) || at != reader->lines.end)
		return hd_lines_error(&reader->lines, err, "expected 'Switch 0xGUID'");
	ret = hd_dump_take_switch(&reader->lines, reader->tables->fabric, guid, reader->seen,
				  &reader->switch_index, err);
	if (ret)
		return ret;
	reader->last_mlid = 0;
	reader->has_title = false;
	return 0;
}

static struct hd_mft_entry *add_entry(struct mcfdbs_reader *reader)
{
	if (reader->n == reader->capacity) {
		size_t capacity = reader->capacity ? reader->capacity * 2 : 64;
		struct hd_mft_entry *grown = realloc(reader->entries, capacity * sizeof(*grown));

		if (!grown)
			return NULL;
		reader->entries = grown;
		reader->capacity = capacity;
	}
	return &reader->entries[reader->n++];
}

static int read_entry(struct mcfdbs_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;
	struct hd_mft_entry entry = { .switch_index = reader->switch_index };
	struct hd_mft_entry *place;
	unsigned n_ports = 0;
	uint64_t mlid, port;

	if (!hd_scan_hex(&at, lines->end, UINT16_MAX, &mlid) ||
	    !hd_scan_word(&at, lines->end, " :"))
		return hd_lines_error(lines, err, "expected '0xMLID : 0xPORT ...'");
	if (reader->switch_index == HD_NONE || !reader->has_title)
		return hd_lines_error(lines, err, "an entry outside of a switch's table");
	if (mlid < FIRST_MLID || mlid > LAST_MLID || mlid <= reader->last_mlid)
		return hd_lines_error(
			lines, err, "0x%04" PRIX64 " is not a multicast LID or not in order", mlid);
	reader->last_mlid = (uint32_t)mlid;
	entry.mlid = (uint16_t)mlid;
	for (;; n_ports++) {
		hd_scan_blanks(&at, lines->end);
		if (at == lines->end)
			break;
		if (!hd_scan_hex(&at, lines->end, UINT8_MAX, &port) ||
		    (at < lines->end && *at != ' '))
			return hd_lines_error(lines, err, "expected ports, '0x001  0x002 '");
		if (port > reader->tables->fabric->nodes[entry.switch_index].n_ports)
			return hd_lines_error(lines, err, "the switch has no port %" PRIu64, port);
		entry.ports[port / 64] |= UINT64_C(1) << (port % 64);
	}
	if (!n_ports)
		return hd_lines_error(lines, err, "an entry without ports");
	place = add_entry(reader);
	if (!place)
		return hd_error_nomem(err);
	*place = entry;
	return 0;
}

/* Whether nothing but blanks follows. */
static bool is_end(const struct hd_lines *lines, const char *at)
{
	hd_scan_blanks(&at, lines->end);
	return at == lines->end;
}

static int read_line(struct mcfdbs_reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *at = lines->begin;

	/* ibdiagnet's files may have comments */
	if (hd_lines_is_blank(lines) || *at == '#')
		return 0;
	if (hd_scan_word(&at, lines->end, "Switch "))
		return begin_switch(reader, at, err);
	if (hd_scan_word(&at, lines->end, "LID    : Out Port(s)") && is_end(lines, at) &&
	    reader->switch_index != HD_NONE && !reader->has_title) {
		reader->has_title = true;
		return 0;
	}
	return read_entry(reader, err);
}

static int compare_entries(const void *a, const void *b)
{
	const struct hd_mft_entry *x = a, *y = b;

	if (x->mlid != y->mlid)
		return x->mlid < y->mlid ? -1 : 1;
	return x->switch_index < y->switch_index ? -1 : x->switch_index > y->switch_index;
}

static int parse_mcfdbs(struct hd_tables *tables, const char *name, const char *data, size_t size,
			struct hd_error *err)
{
	struct mcfdbs_reader reader = { .tables = tables, .switch_index = HD_NONE };
	int ret = 0;

	reader.seen = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*reader.seen));
	if (!reader.seen)
		return hd_error_nomem(err);
	hd_lines_begin(&reader.lines, name, data, size);
	while (!ret && hd_lines_next(&reader.lines))
		ret = read_line(&reader, err);
	if (!ret && reader.switch_index != HD_NONE && !reader.last_mlid)
		ret = hd_error_at(err, HD_EPARSE, name, reader.lines.number,
				  "the last table is cut short: it has no entries");
	free(reader.seen);
	if (ret) {
		free(reader.entries);
		return ret;
	}
	if (reader.n)
		qsort(reader.entries, reader.n, sizeof(*reader.entries), compare_entries);
	free(tables->mft);
	tables->mft = reader.entries;
	tables->n_mft = reader.n;
	return 0;
}

static char *put_upper_hex(char *at, unsigned value, unsigned digits)
{
	for (unsigned i = digits; i > 0; i--) {
		at[i - 1] = "0123456789ABCDEF"[value & 15];
		value >>= 4;
	}
	return at + digits;
}

static void write_entry(struct hd_writer *writer, const struct hd_mft_entry *entry)
{
	hd_writer_room(writer, 16 + (HD_MAX_PORTS + 1) * 7);
	writer->at = stpcpy(writer->at, "0x");
	writer->at = put_upper_hex(writer->at, entry->mlid, 4);
	writer->at = stpcpy(writer->at, " :");
	for (unsigned port = 0; port <= HD_MAX_PORTS; port++)
		if (entry->ports[port / 64] >> (port % 64) & 1) {
			writer->at = stpcpy(writer->at, " 0x");
			writer->at = put_upper_hex(writer->at, port, 3);
			*writer->at++ = ' ';
		}
	*writer->at++ = '\n';
}

/*
 * Entries are sorted by MLID, the dump by switch: entries of switch s get into order[first[s]] ..
 * order[first[s + 1] - 1].
 */
static void group_by_switch(const struct hd_tables *tables, size_t *first, size_t *order)
{
	uint32_t n_switches = tables->fabric->n_switches;

	memset(first, 0, (n_switches + (size_t)2) * sizeof(*first));
	for (size_t i = 0; i < tables->n_mft; i++)
		first[tables->mft[i].switch_index + 2]++;
	for (uint32_t s = 0; s < n_switches; s++)
		first[s + 2] += first[s + 1];
	for (size_t i = 0; i < tables->n_mft; i++)
		order[first[tables->mft[i].switch_index + 1]++] = i;
}

static void write_switch(struct hd_writer *writer, const struct hd_tables *tables, uint32_t s,
			 const size_t *order, size_t n)
{
	if (!n)
		return;
	hd_writer_string(writer, "\nSwitch 0x");
	hd_writer_room(writer, 16);
	writer->at = hd_put_hex(writer->at, tables->fabric->nodes[s].guid, 16);
	hd_writer_string(writer, "\nLID    : Out Port(s)\n");
	for (size_t i = 0; i < n; i++)
		write_entry(writer, &tables->mft[order[i]]);
}

static int write_mcfdbs(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	uint32_t n_switches = tables->fabric->n_switches;
	uint32_t *switches = hd_dump_switches(tables->fabric);
	size_t *first = malloc((n_switches + (size_t)2) * sizeof(*first));
	size_t *order = malloc((tables->n_mft + 1) * sizeof(*order));
	struct hd_writer writer;
	int ret = switches && first && order ? hd_writer_begin(&writer, stream, err)
					     : hd_error_nomem(err);

	if (!ret) {
		group_by_switch(tables, first, order);
		for (uint32_t i = 0; i < n_switches; i++) {
			uint32_t s = switches[i];

			write_switch(&writer, tables, s, order + first[s], first[s + 1] - first[s]);
		}
		ret = hd_writer_end(&writer, err);
	}
	free(switches);
	free(first);
	free(order);
	return ret;
}

const struct hd_dump_format hd_dump_mcfdbs = {
	.name = "mcfdbs",
	.file = "opensm.mcfdbs",
	.summary = "multicast forwarding tables, as OpenSM dumps them",
	.parse = parse_mcfdbs,
	.write = write_mcfdbs,
};
